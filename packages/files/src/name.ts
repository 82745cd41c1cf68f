/**
 * Names of people, agents and branches as folder names. Pure.
 *
 * Two names never give the same folder, even on case-insensitive systems, and the result is a plain name on every
 * system: lowercase letters, digits, `-` and `_` stay, every other byte is written as `=xx`.
 */
import { createHash } from "node:crypto"

/** Longer ones end with a hash of the whole instead. File systems allow 255 bytes; three of these may form one name. */
const MAX_CHARS = 80
const KEPT_CHARS = 24

export function folderName(text: string): string {
  let name = ""
  for (const byte of Buffer.from(text, "utf8")) {
    const char = String.fromCharCode(byte)
    name += /[a-z0-9_-]/.test(char) ? char : escaped(byte)
  }
  if (DEVICE.test(name)) name = escaped(name.charCodeAt(0)) + name.slice(1)
  if (name.length <= MAX_CHARS) return name
  return `${name.slice(0, KEPT_CHARS)}==${createHash("sha256").update(text).digest("hex").slice(0, 40)}`
}

/** The name of this folder; undefined for one that was too long and ends with a hash. */
export function nameOfFolder(folder: string): string | undefined {
  if (folder.includes("==")) return undefined
  const bytes = folder.replace(/=([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, "latin1").toString("utf8")
}

const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

function escaped(byte: number): string {
  return `=${byte.toString(16).padStart(2, "0")}`
}
