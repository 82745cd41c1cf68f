import type { t } from "../en/markdown.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  codeIn: "Code in {language}",
  copyCode: "Code kopieren",
  partlyPlain:
    "Ein Teil dieser Nachricht erscheint als einfacher Text: Er hat mehr Formatierung, als diese Seite darstellt.",
  opens: "Öffnet {place}",
  opensInNewTab: ", öffnet in einem neuen Tab",
  picture: "Bild",
  notShown: "{picture} (nicht angezeigt)",
  done: "erledigt",
  toDo: "offen",
}
