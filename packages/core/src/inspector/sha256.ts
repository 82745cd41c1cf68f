/**
 * SHA-256 in hex, at once.
 *
 * `workspace/content.ts` has it from the platform, which answers later. What a step is told is hashed while the step
 * runs, and a step waits for nothing but its model, its tools and the store; it is short, and hashed once.
 */
import { sha256 as digest } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"

export function sha256(content: Uint8Array): string {
  return bytesToHex(digest(content))
}
