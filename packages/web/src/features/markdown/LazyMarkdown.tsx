import { lazy, Suspense } from "react"
import { Boundary } from "../../ui/Boundary.tsx"
import type { MarkdownProps } from "./Markdown.tsx"
import { PlainText } from "./PlainText.tsx"

const load = () => import("./Markdown.tsx").then((module) => ({ default: module.Markdown }))
const Loaded = lazy(load)

/** Fetches the markdown chunk early, so that the first message rarely has to wait for it. */
export function preloadMarkdown(): void {
  // A failed fetch shows when a message needs the chunk; here it is only early.
  load().catch(() => undefined)
}

/**
 * Markdown, shown as plain source until the chunk is loaded, and when loading or rendering fails (SEC-36). A failed
 * streaming text is tried again once it is complete.
 */
export function LazyMarkdown(props: MarkdownProps) {
  const source = (
    <div className="prose">
      <PlainText text={props.text} />
    </div>
  )
  return (
    <Boundary subject={props.streaming ? STREAMING : props.text} fallback={() => source}>
      <Suspense fallback={source}>
        <Loaded {...props} />
      </Suspense>
    </Boundary>
  )
}

const STREAMING = Symbol("streaming")
