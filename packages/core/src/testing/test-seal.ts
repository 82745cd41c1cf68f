import type { Seal } from "../ports/seal.ts"

const MARK = "sealed:test:"

/** No real encryption: shows whether a stored value was sealed, and for which place. */
export const testSeal: Seal = {
  seal: (secret, about) => MARK + encoded(JSON.stringify([about, secret])),
  open(value, about) {
    if (!value.startsWith(MARK)) return value
    const [place, secret] = JSON.parse(decoded(value.slice(MARK.length))) as [string, string]
    return place === about ? secret : undefined
  },
  isCurrent: (value) => value.startsWith(MARK),
}

function encoded(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

function decoded(hex: string): string {
  const bytes = Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
  return new TextDecoder().decode(new Uint8Array(bytes))
}
