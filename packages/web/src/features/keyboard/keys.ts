/** Matches key events to shortcuts and formats shortcuts for display. Pure. */
import { t } from "../../texts/en/keyboard.ts"
import type { PlainKey } from "../../texts/texts.ts"

export type Stroke = {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}

type Chord = {
  readonly ctrl: boolean
  readonly alt: boolean
  readonly meta: boolean
  readonly shift: boolean
  readonly key: string
}

/** Some of these keys are the digits 1 to 9, written `1…9`. */
const DIGITS = "1…9"

export function isMacPlatform(platform: string): boolean {
  return /mac|iphone|ipad/i.test(platform)
}

export function isStroke(stroke: Stroke, keys: string, isMac: boolean): boolean {
  const chord = chordOf(keys, isMac)
  if (stroke.ctrlKey !== chord.ctrl || stroke.altKey !== chord.alt || stroke.metaKey !== chord.meta) return false
  // A character such as "?" needs Shift on some keyboards only.
  if (!isSign(chord.key) && stroke.shiftKey !== chord.shift) return false
  return chord.key === DIGITS ? digitOf(stroke) !== undefined : pressed(stroke) === chord.key
}

/** Which of 1 to 9. The row above the letters, also where it needs Shift; not the block, where Alt and digits write a sign. */
export function digitOf(stroke: Pick<Stroke, "key" | "code">): number | undefined {
  if (stroke.code.startsWith("Numpad")) return undefined
  const found = /^[1-9]$/.exec(stroke.key)?.[0] ?? /^Digit([1-9])$/.exec(stroke.code)?.[1]
  return found === undefined ? undefined : Number(found)
}

const macSigns: Readonly<Record<string, string>> = { Mod: "⌘", Ctrl: "⌃", Alt: "⌥", Shift: "⇧" }
const arrows: Readonly<Record<string, string>> = { ArrowUp: "↑", ArrowDown: "↓" }
/** What keyboards of the language have printed on these keys. */
const names: Readonly<Record<string, PlainKey<typeof t>>> = {
  Mod: "ctrlKey",
  Ctrl: "ctrlKey",
  Shift: "shiftKey",
  Escape: "escapeKey",
  Delete: "deleteKey",
  End: "endKey",
}

/** As written on this platform: `⌘ K`, `Ctrl+K`. */
export function shownKeys(keys: string, isMac: boolean): string {
  const steps = stepsOf(keys).map((step) => (isMac ? macSigns[step] : undefined) ?? arrows[step] ?? keyName(step))
  return steps.join(isMac ? " " : "+")
}

function keyName(step: string): string {
  const name = names[step]
  return name === undefined ? step : t(name)
}

/** In `aria-keyshortcuts` format. */
export function ariaKeys(keys: string, isMac: boolean): string {
  return stepsOf(keys)
    .map((step) => (step === "Mod" ? (isMac ? "Meta" : "Control") : step === "Ctrl" ? "Control" : step))
    .join("+")
}

function chordOf(keys: string, isMac: boolean): Chord {
  const steps = stepsOf(keys)
  const has = (step: string) => steps.includes(step)
  return {
    ctrl: has("Ctrl") || (has("Mod") && !isMac),
    meta: has("Mod") && isMac,
    alt: has("Alt"),
    shift: has("Shift"),
    key: (steps.at(-1) ?? "").toLowerCase(),
  }
}

function stepsOf(keys: string): readonly string[] {
  return keys.split("+")
}

/** The key's letter in any layout; layouts without Latin letters use the physical position. */
function pressed({ key, code, altKey, ctrlKey }: Stroke): string {
  // Other layouts have the comma where this one has a letter, and a letter where this one has the comma.
  if (/^[a-z,]$/i.test(key)) return key.toLowerCase()
  const isPlain = /^[\x21-\x7e]$/.test(key)
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter !== undefined && (!isPlain || altKey)) return letter.toLowerCase()
  if (code === "Comma" && (altKey || ctrlKey)) return ","
  return key.toLowerCase()
}

function isSign(key: string): boolean {
  return key.length === 1 && !/[a-z0-9]/i.test(key)
}
