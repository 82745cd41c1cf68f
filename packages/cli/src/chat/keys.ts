/**
 * Parses the bytes a terminal sends into keys. Pure.
 *
 * A sequence may arrive in pieces: an incomplete sequence is returned as `rest`, to be put before the next piece. A
 * lone escape is such a rest; after a short timeout the caller treats it as the Escape key.
 */
export type KeyName =
  | "enter"
  | "newline"
  | "escape"
  | "interrupt"
  | "leave"
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "home"
  | "end"
  | "up"
  | "down"
  | "backspace"
  | "delete"
  | "erase-word"
  | "erase-before"
  | "erase-after"
  | "redraw"
  | "complete"

export type Key = { readonly name: KeyName } | { readonly name: "text"; readonly text: string }

export type Decoded = { readonly keys: readonly Key[]; readonly rest: string }

const ESC = "\u001b"
const PASTE_BEGIN = `${ESC}[200~`
const PASTE_END = `${ESC}[201~`

export function decodeKeys(input: string): Decoded {
  const keys: Key[] = []
  let at = 0
  while (at < input.length) {
    const left = input.slice(at)
    const step = left.startsWith(ESC) ? decodeEscape(left) : decodeOne(left)
    if (step === undefined) return { keys, rest: left }
    if (step.key !== undefined) keys.push(step.key)
    at += step.length
  }
  return { keys, rest: "" }
}

type Step = { readonly key: Key | undefined; readonly length: number }

const CONTROLS: ReadonlyMap<string, KeyName> = new Map([
  ["\r", "enter"],
  ["\n", "newline"],
  ["\u0001", "home"],
  ["\u0002", "left"],
  ["\u0003", "interrupt"],
  ["\u0004", "leave"],
  ["\u0005", "end"],
  ["\u0006", "right"],
  ["\b", "backspace"],
  ["\t", "complete"],
  ["\u007f", "backspace"],
  ["\u000b", "erase-after"],
  ["\u000c", "redraw"],
  ["\u000e", "down"],
  ["\u0010", "up"],
  ["\u0015", "erase-before"],
  ["\u0017", "erase-word"],
])

const SEQUENCES: ReadonlyMap<string, KeyName> = new Map([
  ["[A", "up"],
  ["OA", "up"],
  ["[B", "down"],
  ["OB", "down"],
  ["[C", "right"],
  ["OC", "right"],
  ["[D", "left"],
  ["OD", "left"],
  ["[H", "home"],
  ["OH", "home"],
  ["[1~", "home"],
  ["[7~", "home"],
  ["[F", "end"],
  ["OF", "end"],
  ["[4~", "end"],
  ["[8~", "end"],
  ["[3~", "delete"],
  ["[1;5C", "word-right"],
  ["[1;3C", "word-right"],
  ["[1;5D", "word-left"],
  ["[1;3D", "word-left"],
  ["f", "word-right"],
  ["b", "word-left"],
  ["\r", "newline"],
  ["\n", "newline"],
  ["\u007f", "erase-word"],
])

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals send control characters.
const TEXT = /^[^\u0000-\u001f\u007f]+/
const CSI = /^\[[0-9;:<=>?]*[ -/]*[@-~]/
const OPEN_CSI = /^\[[0-9;:<=>?]*[ -/]*$/

function decodeOne(input: string): Step {
  const text = TEXT.exec(input)?.[0]
  if (text !== undefined) return { key: { name: "text", text }, length: text.length }
  const [char = ""] = input
  const name = CONTROLS.get(char)
  return { key: name === undefined ? undefined : { name }, length: char.length }
}

/** Undefined if the sequence is incomplete. Unknown sequences are ignored. */
function decodeEscape(input: string): Step | undefined {
  if (input.startsWith(PASTE_BEGIN)) return decodePaste(input)
  const after = input.slice(ESC.length)
  if (after === "" || after === "O" || OPEN_CSI.test(after)) return undefined
  if (after.startsWith(ESC)) return { key: { name: "escape" }, length: ESC.length }
  const sequence = CSI.exec(after)?.[0] ?? (after.startsWith("O") ? after.slice(0, 2) : after.slice(0, 1))
  const name = SEQUENCES.get(sequence)
  return { key: name === undefined ? undefined : { name }, length: ESC.length + sequence.length }
}

function decodePaste(input: string): Step | undefined {
  const end = input.indexOf(PASTE_END)
  if (end < 0) return undefined
  const text = input.slice(PASTE_BEGIN.length, end).replace(/\r\n?/g, "\n")
  return { key: { name: "text", text }, length: end + PASTE_END.length }
}
