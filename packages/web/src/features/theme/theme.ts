/**
 * Light, dark or system theme. The choice is stored in this browser and shared by its windows; `theme.js` applies it
 * before the first paint, this module changes it.
 */
import type { Keep } from "../keep/keep.ts"

export const themes = ["system", "light", "dark"] as const
export type Theme = (typeof themes)[number]

export const themeKey = "parlor.theme"
/** The theme-color of the browser's own UI. theme.test.ts checks it against app.css. */
export const barColours = { light: "#fafaf9", dark: "#131416" } as const

export function themeIn(keep: Keep): Theme {
  const kept = keep.read(themeKey)
  return themes.find((theme) => theme === kept) ?? "system"
}

export function keepTheme(theme: Theme, keep: Keep): void {
  keep.write(themeKey, theme === "system" ? undefined : theme)
}

export type Dressed = {
  readonly documentElement: { readonly dataset: { theme?: string | undefined } }
  readonly querySelectorAll: (selector: string) => Iterable<{ content: string; readonly media: string }>
}

export function dress(page: Dressed, theme: Theme): void {
  if (theme === "system") delete page.documentElement.dataset.theme
  else page.documentElement.dataset.theme = theme
  for (const meta of page.querySelectorAll('meta[name="theme-color"]')) {
    const bySystem = meta.media.includes("dark") ? "dark" : "light"
    meta.content = barColours[theme === "system" ? bySystem : theme]
  }
}
