/**
 * Removes tags from a streaming reply: a tag that the model copied from its input does not belong in its reply (GST-4).
 *
 *   text ──"<"──▶ held back ──it is a tag──────▶ dropped
 *                     └──────it cannot be one──▶ let go
 *
 * Only what could still become a tag is held back, and never more than `MAX_TAG_CHARS`. `<from>` without an agent is
 * not one of our tags: it stays, and so does its closing tag. What was escaped for the model (`<\summary>`, SEC-34) is
 * unescaped, except `<\from>`: no reply contains that tag.
 */
import { TAGS } from "../text/tags.ts"

const MAX_TAG_CHARS = 256
const SPACE = /\s/
const NO_BRACKET = /[^<>]/
/** Never matches: a step that only needs one more character. */
const NAME_END = /(?!)/
/** Followed by one of these, it is the name of another tag. */
const NAME = /[\p{L}\p{N}@._:-]/u

/** Either these letters, in any case, or a run of such characters. Each run ends where the next step begins. */
type Step = string | { readonly run: RegExp; readonly least: 0 | 1 }
const spaces = { run: SPACE, least: 0 } as const

const OPENING: readonly Step[] = [
  "<",
  spaces,
  "from",
  { run: SPACE, least: 1 },
  "agent",
  spaces,
  "=",
  { run: NO_BRACKET, least: 0 },
  ">",
]
const CLOSING: readonly Step[] = ["<", spaces, "/", spaces, "from", spaces, ">"]
const BARE: readonly Step[] = ["<", spaces, "from", spaces, ">"]

/** The backslash after the bracket was added by escaping; further ones were there before. */
const ESCAPED: readonly (readonly Step[])[] = TAGS.filter((tag) => tag !== "from").flatMap((tag) =>
  [tag, `/${tag}`].map((name) => ["<\\", { run: /\\/, least: 0 }, name, { run: NAME_END, least: 0 }] as const),
)

export class TagFilter {
  #held = ""
  /** How many tags that were let through still wait for their closing tag. */
  #bare = 0

  /** What can be released now, of the text held back and the new text. */
  next(text: string): string {
    if (this.#held === "" && !text.includes("<")) return text
    const all = this.#held + text
    this.#held = ""
    let said = ""
    let from = 0
    for (let at = all.indexOf("<"); at >= 0; at = all.indexOf("<", from)) {
      said += all.slice(from, at)
      const found = this.#read(all.slice(at, at + MAX_TAG_CHARS))
      if (found === "open") {
        this.#held = all.slice(at)
        return said
      }
      said += found.kept
      from = at + found.length
    }
    return said + all.slice(from)
  }

  /** There is no more text. */
  end(): string {
    const held = this.#held
    this.#held = ""
    return held
  }

  /** `open`: more text is needed to decide. */
  #read(text: string): "open" | { readonly length: number; readonly kept: string } {
    const opening = matches(text, OPENING)
    if (typeof opening === "number") return { length: opening, kept: "" }
    const closing = matches(text, CLOSING)
    if (typeof closing === "number") {
      if (this.#bare === 0) return { length: closing, kept: "" }
      this.#bare -= 1
      return { length: closing, kept: text.slice(0, closing) }
    }
    const bare = matches(text, BARE)
    if (typeof bare === "number") {
      this.#bare += 1
      return { length: bare, kept: text.slice(0, bare) }
    }
    const escaped = ESCAPED.map((steps) => matches(text, steps))
    const length = escaped.find((found) => typeof found === "number")
    if (typeof length === "number" && !NAME.test(text.charAt(length)))
      return { length, kept: `<${text.slice(2, length)}` }
    const isOpen = [opening, closing, bare, ...escaped].includes("open") && text.length < MAX_TAG_CHARS
    return isOpen ? "open" : { length: 1, kept: "<" }
  }
}

/** The length of the tag that the text begins with; `open` if the text ends before the tag does. */
function matches(text: string, steps: readonly Step[]): number | "open" | "no" {
  let at = 0
  for (const step of steps) {
    if (typeof step === "string") {
      const piece = text.slice(at, at + step.length).toLowerCase()
      if (!step.startsWith(piece)) return "no"
      if (piece.length < step.length) return "open"
      at += step.length
      continue
    }
    const start = at
    while (at < text.length && step.run.test(text.charAt(at))) at += 1
    if (at === text.length) return "open"
    if (at - start < step.least) return "no"
  }
  return at
}
