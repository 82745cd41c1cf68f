/** The local secret: 256 bits in a file only its owner can read (SEC-2). */
import { randomBytes } from "node:crypto"
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

export const MIN_TOKEN_LENGTH = 32

export function readOrMakeToken(path: string): string {
  if (existsSync(path)) {
    const token = readFileSync(path, "utf8").trim()
    if (token.length >= MIN_TOKEN_LENGTH) {
      chmodSync(path, 0o600)
      return token
    }
  }
  const token = randomBytes(32).toString("base64url")
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // The mode applies to new files only: an existing file with too short a token keeps its own.
  rmSync(path, { force: true })
  writeFileSync(path, `${token}\n`, { mode: 0o600, flag: "wx" })
  return token
}
