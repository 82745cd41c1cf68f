/**
 * The words of the page. English is the source: each part (`en/<part>.ts`) is bundled with the code that uses it, so it
 * costs nothing on the first load. Other languages are one chunk each, loaded before the first paint and only when
 * chosen; `speakIn` then replaces the words of every part.
 *
 * A part is called when something is rendered, never while a module loads: the language is not known before.
 */

/** The words for a number: one form for each plural category of the language. `other` always exists. */
type Plural = { readonly [category in Intl.LDMLPluralRule]?: string } & { readonly other: string }
export type Words = Readonly<Record<string, string | Plural>>
/** All parts of one language. */
export type Catalog = Readonly<Record<string, Words>>

type Slots<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Slots<Rest> : never
type SlotsOf<W extends string | Plural> = W extends string
  ? Slots<W>
  : W extends Plural
    ? "count" | Slots<W["other"]>
    : never
/** A plural needs its number; everything else is a word or a number. */
type Given<W extends string | Plural, Value = string> = {
  readonly [Name in SlotsOf<W>]: Name extends "count" ? number : Value | number
}
type GivenFor<W extends string | Plural, Value = string> = [SlotsOf<W>] extends [never]
  ? readonly []
  : readonly [given: Given<W, Value>]

/** The words of one part: the text for a key, with what it needs put into its `{slots}`. */
export type Part<W extends Words> = {
  <Key extends keyof W & string>(key: Key, ...given: GivenFor<W[Key]>): string
  readonly keys: readonly (keyof W & string)[]
  readonly has: (key: string) => key is keyof W & string
  /** The same, in pieces: anything may be put into a slot, such as an element. */
  readonly pieces: <Key extends keyof W & string, Value>(
    key: Key,
    ...given: GivenFor<W[Key], Value>
  ) => readonly (string | Value)[]
}

/** What a translation of a part must have: the same keys, with plural forms where English has them. */
export type In<P> =
  P extends Part<infer W> ? { readonly [Key in keyof W]: W[Key] extends string ? string : Plural } : never

/** The keys of a part whose texts have no slots, for tables at the top of a module. */
export type PlainKey<P> =
  P extends Part<infer W>
    ? keyof { [Key in keyof W & string as IsPlain<W[Key]> extends true ? Key : never]: true }
    : never
type IsPlain<W extends string | Plural> = [SlotsOf<W>] extends [never] ? true : false

/** The words of this part in English; the key of a missing text or value is a type error. */
export function texts<const W extends Words>(part: string, english: W): Part<W> {
  const pieces = (key: string, given: Readonly<Record<string, unknown>> = {}) =>
    piecesOf(formOf((catalog?.[part] ?? english)[key] ?? english[key] ?? key, given.count), given)
  const say = (key: string, given?: Readonly<Record<string, unknown>>) => pieces(key, given).join("")
  return Object.assign(say, {
    pieces,
    keys: Object.keys(english),
    has: (key: string) => Object.hasOwn(english, key),
  }) as unknown as Part<W>
}

let catalog: Catalog | undefined
let tag = "en"

/** From now on the page speaks this language; without words, English. */
export function speakIn(locale: string, words: Catalog | undefined): void {
  tag = locale
  catalog = words
}

/** The language and region in which dates, numbers and lists are written, such as `de-AT`. */
export function locale(): string {
  return tag
}

function formOf(words: string | Plural, count: unknown): string {
  if (typeof words === "string") return words
  const category = typeof count === "number" ? pluralRules().select(count) : "other"
  return words[category] ?? words.other
}

function piecesOf(text: string, given: Readonly<Record<string, unknown>>): readonly unknown[] {
  return text
    .split(/\{(\w+)\}/)
    .map((piece, at) => (at % 2 === 0 ? piece : filled(piece, given)))
    .filter((piece) => piece !== "")
}

function filled(name: string, given: Readonly<Record<string, unknown>>): unknown {
  const value = given[name]
  return typeof value === "number" ? numberFormat().format(value) : (value ?? `{${name}}`)
}

const pluralRules = perLocale((locale) => new Intl.PluralRules(locale))
const numberFormat = perLocale((locale) => new Intl.NumberFormat(locale))

/** Formatters are expensive to make, so each is kept until the language changes. */
export function perLocale<Made>(make: (locale: string) => Made): () => Made {
  let made: { readonly tag: string; readonly value: Made } | undefined
  return () => {
    if (made?.tag !== tag) made = { tag, value: make(tag) }
    return made.value
  }
}
