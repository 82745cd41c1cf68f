import type { t } from "../en/diff.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  noDiff: "Kein Vergleich: Die Datei ist kein Text oder zu lang.",
  noLines: "Keine Zeilen geändert.",
}
