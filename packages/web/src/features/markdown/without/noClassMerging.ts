/** Replaces `tailwind-merge`: the page passes streamdown no classes that conflict with its own. */
export function twMerge(...names: readonly string[]): string {
  return names.filter(Boolean).join(" ")
}
