/** Stands in for `rehype-harden`: where a message may link and what it may load is decided in ../safeUrl.ts alone. */
export function harden(): undefined {
  return undefined
}
