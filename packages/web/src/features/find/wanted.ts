/** What to look for, from what was selected: a few words, not half a page. Apart from the rest, which comes later. */
export function wantedFrom(selected: string): string {
  const words = selected.trim()
  return words.length > MOST_CHARS || words.includes("\n") ? "" : words
}

const MOST_CHARS = 80
