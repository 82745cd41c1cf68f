/**
 * Synchronous SHA-256 in hex.
 *
 * `workspace/content.ts` uses the platform's, which is asynchronous. A brief is hashed while its step runs, and a step
 * waits for nothing but its model, its tools and the store; briefs are short, and hashed once.
 */
import { sha256 as digest } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"

export function sha256(content: Uint8Array): string {
  return bytesToHex(digest(content))
}
