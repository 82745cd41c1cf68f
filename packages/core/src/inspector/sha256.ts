/**
 * SHA-256 in hex, at once (FIPS 180-4).
 *
 * `workspace/content.ts` has it from the platform, which answers later. What a step is told is hashed while the step
 * runs, and a step waits for nothing but its model, its tools and the store; it is short, and hashed once.
 */
const ROUNDS = Uint32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)))
const START = Uint32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)))
const BLOCK = 64

export function sha256(content: Uint8Array): string {
  const state = START.slice()
  const words = new Uint32Array(BLOCK)
  const padded = withPadding(content)
  const view = new DataView(padded.buffer)
  for (let offset = 0; offset < padded.length; offset += BLOCK) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(offset + i * 4)
    mix(state, words)
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("")
}

/** A one, zeros, and the length in bits fill the last block. */
function withPadding(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((content.length + 9) / BLOCK) * BLOCK)
  padded.set(content)
  padded[content.length] = 0x80
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(content.length) * 8n)
  return padded
}

function mix(state: Uint32Array, words: Uint32Array): void {
  for (let i = 16; i < BLOCK; i++) {
    const before = at(words, i - 15)
    const last = at(words, i - 2)
    const low = turned(before, 7) ^ turned(before, 18) ^ (before >>> 3)
    const high = turned(last, 17) ^ turned(last, 19) ^ (last >>> 10)
    words[i] = at(words, i - 16) + low + at(words, i - 7) + high
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < BLOCK; i++) {
    const choice = (e & f) ^ (~e & g)
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + at(ROUNDS, i) + at(words, i)) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = at(state, i) + word
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

function primes(count: number): readonly number[] {
  const found: number[] = []
  for (let number = 2; found.length < count; number++)
    if (found.every((prime) => number % prime !== 0)) found.push(number)
  return found
}

/** The first 32 bits behind the point. */
function fraction(number: number): number {
  return Math.floor((number - Math.floor(number)) * 2 ** 32)
}
