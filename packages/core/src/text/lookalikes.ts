/**
 * Recognizes anything that could be mistaken for one of our tags, however disguised: different case, white space,
 * entities, full-width and styled letters, invisible characters. Pure.
 *
 * Every run of characters can be matched in only one way, so that the time is proportional to the length of the text.
 */

export type Lookalikes = {
  /** Adds a backslash after the bracket of everything that looks like such a tag. */
  readonly escape: (text: string) => string
  /** The text before `escape`. */
  readonly unescape: (text: string) => string
}

/** An invisible copy of ASCII that models read. */
const UNSEEN = 0xe0000
/** The offset of full-width forms from ASCII. */
const FULL_WIDTH = 0xfee0
/** Alphabets of styled letters, in sequence, uppercase before lowercase. */
const STYLED = { first: 0x1d400, alphabets: 26, letters: 26 } as const
/** Circled lowercase letters, squared capitals, and other lookalikes. */
const CIRCLED = 0x24d0
const SQUARED = 0x1f130
const OTHERS: Readonly<Record<string, readonly number[]>> = {
  a: [0xaa, 0x1d2c, 0x1d43, 0x2090, 0x1ccd6, 0x430, 0x251, 0x3b1],
  c: [0x1d9c, 0x2102, 0x212d, 0x216d, 0x217d, 0xa7f2, 0x1ccd8, 0x1f12b, 0x441, 0x3f2, 0x1d04],
  e: [0x1d31, 0x1d49, 0x2091, 0x212f, 0x2130, 0x2147, 0x1ccda, 0x435, 0x454, 0x1d07],
  f: [0x1da0, 0x2131, 0xa7f3, 0x1ccdb, 0x192, 0x3dd, 0xa730],
  g: [0x1d33, 0x1d4d, 0x210a, 0x1ccdc, 0x261, 0x581, 0x262],
  h: [0x2b0, 0x1d34, 0x2095, 0x210b, 0x210c, 0x210d, 0x210e, 0x1ccdd, 0x4bb, 0x570, 0x29c],
  i: [0x1d35, 0x1d62, 0x2071, 0x2110, 0x2111, 0x2139, 0x2148, 0x2160, 0x2170, 0x1ccde, 0x456, 0x131, 0x3b9, 0x26a],
  k: [0x1d37, 0x1d4f, 0x2096, 0x212a, 0x1cce0, 0x43a, 0x3ba, 0x1d0b],
  l: [0x2e1, 0x1d38, 0x2097, 0x2112, 0x2113, 0x216c, 0x217c, 0x1cce1, 0x4cf, 0x1c0, 0x29f],
  m: [0x1d39, 0x1d50, 0x2098, 0x2133, 0x216f, 0x217f, 0x1cce2, 0x43c, 0x1d0d],
  n: [0x1d3a, 0x207f, 0x2099, 0x2115, 0x1cce3, 0x578, 0x43f, 0x274],
  o: [0xba, 0x1d3c, 0x1d52, 0x2092, 0x2134, 0x1cce4, 0x43e, 0x3bf, 0x585],
  r: [0x2b3, 0x1d3f, 0x1d63, 0x211b, 0x211c, 0x211d, 0x1cce7, 0x1f12c, 0x280, 0x433],
  s: [0x2e2, 0x209b, 0xa7f1, 0x1cce8, 0x455, 0xa731],
  t: [0x1d40, 0x1d57, 0x209c, 0x1cce9, 0x442, 0x3c4, 0x1d1b],
  u: [0x1d41, 0x1d58, 0x1d64, 0x1ccea, 0x3c5, 0x57d, 0x1d1c],
  x: [0x2e3, 0x2093, 0x2169, 0x2179, 0x1cced, 0x445, 0x3c7],
  y: [0x2b8, 0x1ccee, 0x443, 0x4af, 0x28f, 0x3b3],
}

const brackets = [0x3c, 0xff1c, 0xfe64, 0x2039, 0x2329, 0x3008, 0x27e8, 0x276e, 0x2770, 0x1438, 0x2c2]
const slashes = [0x2f, 0xff0f, 0x2215, 0x2044, 0x29f8, 0x2571]

const BRACKET = `[${characters([...brackets, UNSEEN + 0x3c])}]|${encoded("lt", "3c", "60")}`
const SLASH = `[${characters([...slashes, UNSEEN + 0x2f])}]|${encoded("sol", "2f", "47")}`
/** White space, invisible characters, and combining marks. A backslash is what escaping adds. */
const GAP = String.raw`[[\s\\\p{C}\p{M}\p{Default_Ignorable_Code_Point}]--[\u{e0020}-\u{e007e}]]*`
/** A longer name is a different tag, or an address: `<from@example.com>`. */
const END = String.raw`(?![\p{L}\p{N}@._:\-])`
/** Most texts contain none of these, and are not checked further. */
const MAY_HOLD_ONE = new RegExp(String.raw`[&%\\\udb40${characters(brackets)}]`)

/** For tags with these lowercase names. */
export function lookalikesOf(names: readonly string[]): Lookalikes {
  let compiled: RegExp | undefined
  // Compiling it takes as long as loading a package, and most texts need none of it.
  const pattern = () => {
    compiled ??= patternFor(names)
    return compiled
  }
  return {
    escape: (text) => (MAY_HOLD_ONE.test(text) ? text.replace(pattern(), String.raw`$1\$2`) : text),
    unescape: (text) =>
      text.includes("\\")
        ? text.replace(pattern(), (_, bracket: string, rest: string) => bracket + rest.replace("\\", ""))
        : text,
  }
}

function patternFor(names: readonly string[]): RegExp {
  const spelled = names.map((name) => [...name].map(letter).join(GAP)).join("|")
  return new RegExp(`(${BRACKET})(${GAP}(?:(?:${SLASH})${GAP})?(?:${spelled})${END})`, "giv")
}

/** A character written as an entity or an escape, possibly nested. */
function encoded(entity: string, hex: string, decimal: string): string {
  const entities = `&(?:amp;)*(?:${entity}|#0*${decimal}|#x0*${hex});?`
  return [entities, String.raw`\\u(?:00${hex}|\{0*${hex}\})`, String.raw`\\x${hex}`, `%(?:25)*${hex}`].join("|")
}

function letter(plain: string): string {
  const code = plain.charCodeAt(0)
  const place = code - "a".charCodeAt(0)
  const styled = Array.from({ length: STYLED.alphabets }, (_, n) => STYLED.first + n * STYLED.letters + place)
  const unseen = [UNSEEN + code, UNSEEN + plain.toUpperCase().charCodeAt(0)]
  const framed = [CIRCLED + place, SQUARED + place]
  return `[${characters([code, FULL_WIDTH + code, ...unseen, ...styled, ...framed, ...(OTHERS[plain] ?? [])])}]`
}

function characters(codes: readonly number[]): string {
  return codes.map((code) => (code === 0x2f ? "\\/" : String.fromCodePoint(code))).join("")
}
