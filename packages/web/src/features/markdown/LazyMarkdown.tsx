import { type ComponentType, useSyncExternalStore } from "react"
import { Boundary } from "../../ui/Boundary.tsx"
import type { MarkdownProps } from "./Markdown.tsx"
import { PlainText } from "./PlainText.tsx"

/**
 * The markdown chunk.
 *
 *   none ──needed──▶ loading ──▶ loaded
 *                      └──failed──▶ none (tried again when it is next needed)
 *
 * Not `React.lazy`: its fallback stays on the page for at least 300 ms, even when the chunk is there at once.
 */
let loaded: ComponentType<MarkdownProps> | undefined
let loading: Promise<void> | undefined
/** It failed, or takes too long: the plain text is shown until it is there. */
let isOverdue = false
const listeners = new Set<() => void>()

/** How long messages wait for the chunk before their source is shown instead. */
const PATIENCE_MS = 4_000

/** Fetches the markdown chunk early, so that the first message rarely has to wait for it. */
export function preloadMarkdown(): void {
  if (loaded !== undefined || loading !== undefined) return
  const late = setTimeout(overdue, PATIENCE_MS)
  loading = import("./Markdown.tsx").then(
    (module) => {
      clearTimeout(late)
      loaded = module.Markdown
      tell()
    },
    () => {
      clearTimeout(late)
      loading = undefined
      overdue()
    },
  )
}

/**
 * Whether messages can be drawn: as markdown, or as their source if the chunk failed to load. Messages that are drawn
 * before would change their height when the chunk arrives.
 */
export function useMarkdownReady(): boolean {
  return useSyncExternalStore(subscribe, isReady, isReady)
}

/**
 * Markdown, shown as plain source while the chunk is missing, and when loading or rendering fails (SEC-36). A failed
 * streaming text is tried again once it is complete.
 */
export function LazyMarkdown(props: MarkdownProps) {
  const Markdown = useSyncExternalStore(subscribe, read, read)
  const source = (
    <div className="prose">
      <PlainText text={props.text} />
    </div>
  )
  if (Markdown === undefined) return source
  return (
    <Boundary subject={props.streaming ? STREAMING : props.text} fallback={() => source}>
      <Markdown {...props} />
    </Boundary>
  )
}

const STREAMING = Symbol("streaming")

function read(): ComponentType<MarkdownProps> | undefined {
  return loaded
}

function isReady(): boolean {
  return loaded !== undefined || isOverdue
}

function subscribe(listener: () => void): () => void {
  preloadMarkdown()
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function overdue(): void {
  isOverdue = true
  tell()
}

function tell(): void {
  for (const listener of [...listeners]) listener()
}
