/** Markdown with formulas. A separate chunk with KaTeX, its styles and its fonts: see Piece.tsx. */
import "katex/dist/katex.min.css"
import "./formulas.css"
import { createMathPlugin } from "@streamdown/math"
import type { StreamdownProps } from "streamdown"
import { Prose, type ProseProps } from "./Prose.tsx"
import { setOnce } from "./setOnce.ts"

const LARGEST_EM = 20
const MAX_EXPANSIONS = 500

const { rehypePlugin, ...math } = createMathPlugin({ singleDollarTextMath: true })
const katex = Array.isArray(rehypePlugin) ? rehypePlugin[0] : rehypePlugin

/**
 * A formula may not link, load, or inject tags and styles (`trust`), and its size and macro expansion are limited
 * (SEC-6). Warnings on the console are off.
 */
const settings = {
  trust: false,
  maxSize: LARGEST_EM,
  maxExpand: MAX_EXPANSIONS,
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
