/** Replaces `rehype-harden`: only ../safeUrl.ts decides where a message may link and what it may load. */
export function harden(): undefined {
  return undefined
}
