import { lazy, Suspense } from "react"
import type { MarkdownProps } from "./Markdown.tsx"

const load = () => import("./Markdown.tsx").then((module) => ({ default: module.Markdown }))
const Loaded = lazy(load)

/** Fetches the markdown chunk early, so that the first message rarely has to wait for it. */
export function preloadMarkdown(): void {
  // A failed fetch shows when a message needs the chunk; here it is only early.
  load().catch(() => undefined)
}

/** Markdown, shown as its plain source until the chunk is there: the words never wait for their looks. */
export function LazyMarkdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<div className="prose whitespace-pre-wrap">{props.text}</div>}>
      <Loaded {...props} />
    </Suspense>
  )
}
