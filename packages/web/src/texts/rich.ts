import { createElement, Fragment, type ReactNode } from "react"

/** Elements inside a text: `rich(t.pieces("sentAt", { time: <time>…</time> }))`. */
export function rich(pieces: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...pieces)
}
