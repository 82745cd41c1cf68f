import { texts } from "../texts.ts"

export const t = texts("diagram", {
  diagram: "Diagram",
  code: "Code",
  copyCode: "Copy code",
  failed: "This diagram can't be drawn, so its code is shown.",
})
