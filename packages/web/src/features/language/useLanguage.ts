import { useCallback, useSyncExternalStore } from "react"
import { type Catalog, speakIn } from "../../texts/texts.ts"
import { browserKeep } from "../keep/keep.ts"
import {
  keepLanguage,
  type Language,
  type LanguageChoice,
  languageIn,
  languageKey,
  localeFor,
  spoken,
} from "./language.ts"

/** English is in the code itself. */
const catalogs: Readonly<Record<Language, (() => Promise<Catalog>) | undefined>> = {
  en: undefined,
  de: () => import("../../texts/de.ts").then(({ german }) => german),
}

const listeners = new Set<() => void>()
/** Without storage, the choice lasts as long as the page. */
let chosen: LanguageChoice | "unread" = "unread"
let active: Language = "en"

/**
 * Called once, before anything is drawn: `draw` runs when the words are there, at once for English. A language that
 * cannot be loaded is replaced by English.
 */
export function startLanguage(draw: () => void): void {
  window.addEventListener("storage", (event) => {
    if (event.key !== languageKey) return
    chosen = languageIn(browserKeep)
    void follow()
  })
  const next = spoken(choice(), navigator.languages)
  if (catalogs[next] === undefined) {
    apply(next, undefined)
    draw()
  } else void follow().finally(draw)
}

/** The language the page speaks now. Everything is drawn again when it changes. */
export function useActiveLanguage(): Language {
  return useSyncExternalStore(subscribe, activeLanguage, () => "en" as const)
}

/** The chosen language, undefined to follow the browser, and a setter. Follows changes of other windows. */
export function useLanguageChoice(): readonly [LanguageChoice, (choice: LanguageChoice) => void] {
  const current = useSyncExternalStore(subscribe, choice, () => undefined)
  const choose = useCallback((next: LanguageChoice) => {
    chosen = next
    keepLanguage(next, browserKeep)
    void follow()
  }, [])
  return [current, choose]
}

async function follow(): Promise<void> {
  const next = spoken(choice(), navigator.languages)
  const words = await catalogs[next]?.().catch(() => undefined)
  // A later choice was made while this one was loading.
  if (next !== spoken(choice(), navigator.languages)) return
  apply(words === undefined ? "en" : next, words)
}

function apply(language: Language, words: Catalog | undefined): void {
  active = language
  speakIn(localeFor(language, navigator.languages), words)
  document.documentElement.lang = language
  for (const listener of listeners) listener()
}

function activeLanguage(): Language {
  return active
}

function choice(): LanguageChoice {
  if (chosen === "unread") chosen = languageIn(browserKeep)
  return chosen
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
