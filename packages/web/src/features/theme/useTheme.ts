import { useCallback, useSyncExternalStore } from "react"
import { browserKeep } from "../keep/keep.ts"
import { dress, keepTheme, type Theme, themeIn, themeKey } from "./theme.ts"

const listeners = new Set<() => void>()
/** Without storage, the choice lasts as long as the page. */
let chosen: Theme | undefined

/** The chosen theme and a setter. Follows changes of other windows. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, current, () => "system" as const)
  const choose = useCallback((next: Theme) => {
    chosen = next
    keepTheme(next, browserKeep)
    tell()
  }, [])
  return [theme, choose]
}

/** Called once at startup: sets the theme-color and follows changes of other windows. */
export function startTheme(): void {
  dress(document, current())
  window.addEventListener("storage", (event) => {
    if (event.key !== themeKey) return
    chosen = undefined
    tell()
  })
}

function current(): Theme {
  chosen ??= themeIn(browserKeep)
  return chosen
}

function tell(): void {
  dress(document, current())
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
