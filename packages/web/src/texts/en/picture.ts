import { texts } from "../texts.ts"

export const t = texts("picture", { enlarge: "Enlarge {name}", close: "Close the picture" })
