/** Stands in for `tailwind-merge`: the page gives streamdown no classes that contradict its own. */
export function twMerge(...names: readonly string[]): string {
  return names.filter(Boolean).join(" ")
}
