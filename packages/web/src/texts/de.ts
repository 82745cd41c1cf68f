/** German: every part, one chunk. */
import type { Catalog, Words } from "./texts.ts"

const parts = import.meta.glob<Words>("./de/*.ts", { eager: true, import: "words" })

export const german: Catalog = Object.fromEntries(
  Object.entries(parts).map(([path, words]) => [path.slice("./de/".length, -".ts".length), words]),
)
