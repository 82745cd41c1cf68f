import type { t } from "../en/diagram.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  diagram: "Diagramm",
  code: "Code",
  copyCode: "Code kopieren",
  failed: "Dieses Diagramm lässt sich nicht zeichnen, darum steht hier sein Code.",
}
