/**
 * A Mermaid diagram, drawn in a frame that has no origin (MSG-18): a hostile diagram can neither run anything in the
 * page nor reach the network. The page learns only the height. Loaded with the first diagram.
 *
 *   waiting ──in view──▶ loading ──▶ drawn
 *                           └──failed, or too slow──▶ code, with a note
 */
import mermaid from "@mermaid-js/tiny/dist/mermaid.tiny.js?url"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { t } from "../../texts/en/diagram.ts"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { useMedia } from "../../ui/useMedia.ts"

const TOO_SLOW_MS = 30_000
const MAX_HEIGHT = 4_000

export type DiagramProps = {
  readonly text: string
  /** The diagram as code. */
  readonly children: ReactNode
}

export default function Diagram({ text, children }: DiagramProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const theme = useShownTheme()
  const [height, setHeight] = useState<number>()
  const [hasFailed, setFailed] = useState(false)
  const [isCode, setCode] = useState(false)
  // The frame loads when it comes near the view.
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const draw = () => element.contentWindow?.postMessage({ script: mermaid, source: text, theme }, "*")
    const hear = ({ source, data }: MessageEvent) => {
      if (source !== element.contentWindow || typeof data !== "object" || data === null) return
      const told = data as { readonly ready?: unknown; readonly failed?: unknown; readonly height?: unknown }
      if (told.ready === true) draw()
      else if (told.failed === true) setFailed(true)
      else if (typeof told.height === "number" && told.height > 0) setHeight(Math.min(told.height, MAX_HEIGHT))
    }
    window.addEventListener("message", hear)
    // Already there when only the theme changes.
    draw()
    return () => {
      window.removeEventListener("message", hear)
    }
  }, [text, theme])
  useEffect(() => {
    if (height !== undefined || !isLoaded) return
    const timer = setTimeout(() => setFailed(true), TOO_SLOW_MS)
    return () => clearTimeout(timer)
  }, [height, isLoaded])
  if (hasFailed)
    return (
      <>
        {children}
        <p className="text-muted text-sm">{t("failed")}</p>
      </>
    )
  return (
    <figure className="my-3 overflow-hidden rounded-lg border border-line bg-raised" aria-label={t("diagram")}>
      <figcaption className="flex min-h-8 items-center justify-between gap-3 border-line border-b pr-1 pl-3.5 text-muted text-xs">
        <span className="truncate font-mono">mermaid</span>
        <span className="flex items-center gap-1">
          <button
            type="button"
            aria-pressed={isCode}
            onClick={() => setCode(!isCode)}
            className="rounded-md px-2 py-1 hover:bg-line/60 hover:text-ink pointer-coarse:min-h-10 pointer-coarse:min-w-10"
          >
            {t("code")}
          </button>
          <CopyButton text={text} label={t("copyCode")} />
        </span>
      </figcaption>
      {isCode && children}
      <iframe
        ref={frame}
        src="/diagram.html"
        title={t("diagram")}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        loading="lazy"
        hidden={isCode}
        onLoad={() => setLoaded(true)}
        // A frame with another color scheme than the page would get an opaque background.
        style={{ height: height ?? 160, colorScheme: theme }}
        className="block w-full border-0"
      />
    </figure>
  )
}

/** The theme that is shown: the one chosen, or the system's. */
function useShownTheme(): "light" | "dark" {
  const isDark = useMedia("(prefers-color-scheme: dark)")
  const [chosen, setChosen] = useState(() => document.documentElement.dataset.theme)
  useEffect(() => {
    const look = () => setChosen(document.documentElement.dataset.theme)
    const observer = new MutationObserver(look)
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] })
    return () => observer.disconnect()
  }, [])
  return chosen === "dark" || (chosen === undefined && isDark) ? "dark" : "light"
}
