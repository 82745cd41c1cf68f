import type { t } from "../en/language.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  language: "Sprache",
  browser: "Browser",
}
