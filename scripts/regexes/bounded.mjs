/**
 * Expressions that are not linear and whose input is truncated before it reaches them. They are timed at that length,
 * with a limit of 20 ms.
 *
 * @type {readonly { file: string, pattern: string, atMost: number, why: string }[]}
 */
export const BOUNDED = [
  String.raw`(\*\*|(?<!\w)__(?!\w*__)|~~|${"`"}{1,3})(?=\S)(?<kept>[^\n]*?\S)\1`,
  String.raw`!?\[(?<kept>[^\]\n]*)\]\([^)\s]*(?:\)|(?=…$))`,
  String.raw`(?<=^…[^[\]\n]*)\]\([^)\s]*\)`,
  String.raw`(?<=^…[^\n]*\S)(?:\*\*|__|~~|${"`"}{1,3})(?=$|[\s.,;:!?)…])`,
].map((pattern) => ({
  file: "packages/protocol/src/plain-words.ts",
  pattern,
  atMost: 1_000,
  why: "plainSnippet truncates its input",
}))
