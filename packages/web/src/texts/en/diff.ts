import { texts } from "../texts.ts"

export const t = texts("diff", {
  noDiff: "No diff: the file is not text or is too long.",
  noLines: "No lines changed.",
})
