/**
 * Which language the page speaks. The choice is stored in this browser; without one, the first language of the browser
 * that the page knows decides, and English otherwise. Pure.
 */
import type { Keep } from "../keep/keep.ts"

export const languages = ["en", "de"] as const
export type Language = (typeof languages)[number]
/** Undefined follows the browser. */
export type LanguageChoice = Language | undefined

export const languageKey = "parlor.language"

export function languageIn(keep: Keep): LanguageChoice {
  const kept = keep.read(languageKey)
  return languages.find((language) => language === kept)
}

export function keepLanguage(choice: LanguageChoice, keep: Keep): void {
  keep.write(languageKey, choice)
}

/** @param preferred what the browser prefers, best first, such as `["de-AT", "en"]` */
export function spoken(choice: LanguageChoice, preferred: readonly string[]): Language {
  return choice ?? preferred.map(languageOf).find((language) => language !== undefined) ?? "en"
}

/** The region comes from the browser: English in Europe writes dates the European way. */
export function localeFor(language: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => languageOf(tag) === language) ?? language
}

function languageOf(tag: string): Language | undefined {
  const [name] = tag.toLowerCase().split("-")
  return languages.find((language) => language === name)
}
