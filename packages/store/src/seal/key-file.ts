/** Keys that seal secrets, as people write them: 32 bytes each in hex or base64, the current one first (SEC-29). */
import { randomBytes } from "node:crypto"
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { privateFile, privateFolder } from "../private-files.ts"
import { KEY_BYTES, type SecretKey, secretKey } from "./seal.ts"

const HEX = /^[0-9a-f]{64}$/i
const BASE64 = /^[\w+/-]{43}=?$/
const FILE_MODE = 0o600

export class SecretKeyError extends Error {}

/** Separated by commas or white space. */
export function parseKeys(text: string, from: string): readonly SecretKey[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== "")
  return words.map((word) => {
    const bytes = HEX.test(word)
      ? Buffer.from(word, "hex")
      : BASE64.test(word)
        ? Buffer.from(word, "base64")
        : undefined
    if (bytes?.length === KEY_BYTES) return secretKey(bytes)
    throw new SecretKeyError(
      `${from} contains something that is not a key. A key is ${KEY_BYTES} random bytes in hex or base64: openssl rand -base64 32`,
    )
  })
}

export function readKeyFile(path: string): readonly SecretKey[] {
  if (!existsSync(path)) return []
  privateFile(path)
  return parseKeys(readFileSync(path, "utf8"), path)
}

/** Adds a new key before those in the file. Durable when this returns, so that nothing is sealed with a lost key. */
export function addKeyToFile(path: string): SecretKey {
  const bytes = randomBytes(KEY_BYTES)
  privateFolder(dirname(path))
  const before = existsSync(path) ? readFileSync(path, "utf8") : ""
  const beside = `${path}.new`
  rmSync(beside, { force: true })
  const file = openSync(beside, "wx", FILE_MODE)
  writeSync(file, `${bytes.toString("base64url")}\n${before}`)
  fsyncSync(file)
  closeSync(file)
  renameSync(beside, path)
  const folder = openSync(dirname(path), "r")
  fsyncSync(folder)
  closeSync(folder)
  return secretKey(bytes)
}
