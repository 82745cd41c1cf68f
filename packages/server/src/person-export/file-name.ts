const LONGEST = 120

/** A name of the person's as a file name that every system takes, and that leads nowhere else. */
export function fileName(name: string): string {
  const safe = name
    .normalize("NFC")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go.
    .replace(/[\u0000-\u001f\u007f<>:"/\\|?*]/g, "_")
    .replace(/^\.+|(?<![. ])[. ]+$/g, "_")
  return (safe === "" ? "_" : safe).slice(0, LONGEST).toWellFormed()
}
