/** Markdown with formulas. A chunk of its own, with KaTeX, its styles and its fonts: see Piece.tsx. */
import "katex/dist/katex.min.css"
import "./formulas.css"
import { createMathPlugin } from "@streamdown/math"
import type { StreamdownProps } from "streamdown"
import { Prose, type ProseProps } from "./Prose.tsx"
import { setOnce } from "./setOnce.ts"

const LARGEST_EM = 20
const MOST_EXPANSIONS = 500

const { rehypePlugin, ...math } = createMathPlugin({ singleDollarTextMath: true })
const katex = Array.isArray(rehypePlugin) ? rehypePlugin[0] : rehypePlugin

/**
 * Nothing in a formula may link, load or bring tags and styles of its own (`trust`), be larger than it should, or take
 * long to work out (SEC-6). Without complaints on the console about what is unusual.
 */
const settings = {
  trust: false,
  maxSize: LARGEST_EM,
  maxExpand: MOST_EXPANSIONS,
  strict: "ignore",
  errorColor: "var(--color-bad)",
} as const

type Katex = (options: typeof settings) => Parameters<typeof setOnce>[0]
const setting = setOnce((katex as Katex)(settings))
function formulas() {
  return setting
}

const plugins = { math: { ...math, rehypePlugin: formulas } } as NonNullable<StreamdownProps["plugins"]>

export function Formulas(props: Omit<ProseProps, "plugins">) {
  return <Prose {...props} plugins={plugins} />
}
