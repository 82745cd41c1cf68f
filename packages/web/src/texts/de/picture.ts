import type { t } from "../en/picture.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = { enlarge: "{name} vergrößern", close: "Bild schließen" }
