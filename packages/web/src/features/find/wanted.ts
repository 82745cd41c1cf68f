/** The initial search text from the selection, if it is short. In its own file, because the rest is loaded lazily. */
export function wantedFrom(selected: string): string {
  const words = selected.trim()
  return words.length > MAX_CHARS || words.includes("\n") ? "" : words
}

const MAX_CHARS = 80
