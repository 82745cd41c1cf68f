import { texts } from "../texts.ts"

export const t = texts("language", {
  language: "Language",
  browser: "Browser",
})
