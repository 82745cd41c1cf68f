import { Paperclip } from "lucide-react"
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from "react"
import { t } from "../../texts/en/attachment.ts"
import { limitWords } from "./media.ts"

export type DropAreaProps = {
  readonly onFiles: (files: readonly File[]) => void
  readonly children: ReactNode
}

/** Accepts files dropped on it, and shows an overlay while they are dragged over it. */
export function DropArea({ onFiles, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false)
  /** Drag events fire for every child element, so they are counted. */
  const depth = useRef(0)
  useEffect(keepPage, [])
  const count = (event: DragEvent, by: 1 | -1) => {
    if (!hasFiles(event)) return
    depth.current = Math.max(0, depth.current + by)
    setOver(depth.current > 0)
  }
  const onDrop = (event: DragEvent) => {
    depth.current = 0
    setOver(false)
    if (!hasFiles(event)) return
    event.preventDefault()
    onFiles([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the paperclip does the same for keyboards
    <div
      className="relative flex min-h-0 min-w-0 flex-1 flex-col"
      onDragEnter={(event) => count(event, 1)}
      onDragLeave={(event) => count(event, -1)}
      onDragOver={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = "copy"
      }}
      onDrop={onDrop}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-2 z-40 flex flex-col items-center justify-center rounded-2xl border-2 border-accent border-dashed bg-page/97">
          <Paperclip aria-hidden className="size-6 text-accent" />
          <p className="mt-2 font-semibold text-lg">{t("dropToAttach")}</p>
          <p className="mt-1 px-6 text-center text-muted text-sm">{limitWords()}</p>
        </div>
      )}
    </div>
  )
}

/** The browser would navigate to a file dropped outside of it. */
function keepPage(): () => void {
  const refuse = (event: globalThis.DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return
    event.preventDefault()
    event.dataTransfer.dropEffect = "none"
  }
  const kinds = ["dragover", "drop"] as const
  for (const kind of kinds) window.addEventListener(kind, refuse)
  return () => {
    for (const kind of kinds) window.removeEventListener(kind, refuse)
  }
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer.types.includes("Files")
}
