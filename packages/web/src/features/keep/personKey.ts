/**
 * A storage key for the signed-in person, derived from the token: data stored under it is never shown to anyone else. It
 * is 64 bits of a token that has at least twice as many, so the token can't be recovered from it.
 */
export function personKey(token: string): string {
  return cyrb53(token)
}

/**
 * The two 32-bit halves of the public-domain hash cyrb53, in hex. It only has to tell the few people of one browser
 * apart. SHA-256 would have to be ours or a library's: `crypto.subtle` answers too late for the first paint, and pages
 * served over plain HTTP do not have it (docs/decisions/0026-ours-or-a-library.md).
 */
function cyrb53(text: string): string {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (high >>> 0).toString(16).padStart(8, "0") + (low >>> 0).toString(16).padStart(8, "0")
}
