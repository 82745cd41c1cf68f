import { sizeWords } from "@parlor/protocol"
import { FileAudio, FileText, LoaderCircle, RotateCw, X } from "lucide-react"
import type { ReactNode } from "react"
import { t } from "../../texts/en/attachment.ts"
import { cx } from "../../ui/cx.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { Progress } from "../../ui/Progress.tsx"
import { problemWords } from "../status/problemWords.ts"
import type { Attached } from "./attached.ts"
import type { Upload } from "./uploads.ts"

export type AttachmentTrayProps = {
  readonly attached: readonly Attached[]
  readonly uploads: readonly Upload[]
  readonly preview: (hash: string) => string | undefined
  readonly onDetach: (hash: string) => void
  readonly onRetry: (id: string) => void
  readonly onRemove: (id: string) => void
}

/** The attachments of the draft: uploaded, uploading or failed. */
export function AttachmentTray({ attached, uploads, preview, onDetach, onRetry, onRemove }: AttachmentTrayProps) {
  if (attached.length + uploads.length === 0) return null
  return (
    <ul aria-label={t("attachments")} className="flex max-h-[24dvh] flex-wrap gap-2 overflow-y-auto px-2.5 pt-2 pb-1">
      {attached.map(({ hash, name, bytes, mediaType }) => (
        <Chip
          key={hash}
          name={name}
          picture={preview(hash)}
          sign={<TypeSign mediaType={mediaType} />}
          words={bytes === undefined ? "" : sizeWords(bytes)}
        >
          <IconButton label={t("removeName", { name })} onClick={() => onDetach(hash)}>
            <X aria-hidden className="size-3.5" />
          </IconButton>
        </Chip>
      ))}
      {uploads.map(({ id, name, bytes, preview: picture, state, percent, note, mayRetry }) => (
        <Chip
          key={id}
          name={name}
          picture={picture}
          sign={
            state === "failed" ? (
              <TypeSign mediaType="" />
            ) : (
              <LoaderCircle aria-hidden className="size-4 animate-spin-slow text-accent" />
            )
          }
          isBusy={state !== "failed"}
          isFailed={state === "failed"}
          words={state === "failed" ? failureWords(note) : busyWords(bytes, percent)}
        >
          {state === "busy" && percent !== undefined && (
            <Progress
              label={t("uploadingName", { name })}
              percent={percent}
              className="absolute inset-x-0 bottom-0 h-0.5 rounded-none"
            />
          )}
          {mayRetry && state === "failed" && (
            <IconButton label={t("retryName", { name })} onClick={() => onRetry(id)}>
              <RotateCw aria-hidden className="size-3.5" />
            </IconButton>
          )}
          <IconButton label={t("removeName", { name })} onClick={() => onRemove(id)}>
            <X aria-hidden className="size-3.5" />
          </IconButton>
        </Chip>
      ))}
    </ul>
  )
}

type ChipProps = {
  readonly name: string
  readonly picture: string | undefined
  readonly sign: ReactNode
  readonly words: string
  readonly isBusy?: boolean
  readonly isFailed?: boolean
  readonly children: ReactNode
}

function Chip({ name, picture, sign, words, isBusy = false, isFailed = false, children }: ChipProps) {
  return (
    <li
      aria-busy={isBusy}
      className={cx(
        "relative flex min-w-0 max-w-full animate-arrive items-center overflow-hidden gap-2 rounded-lg border py-1 pr-1 pl-1.5 text-sm",
        isFailed ? "border-transparent bg-bad-tint" : "border-line bg-sunken",
      )}
    >
      <span className="relative inline-flex size-8 shrink-0 items-center justify-center overflow-hidden rounded-md bg-raised">
        {picture === undefined ? (
          sign
        ) : (
          <>
            <img src={picture} alt="" className={cx("size-full object-cover", isBusy && "opacity-40")} />
            {isBusy && <span className="absolute">{sign}</span>}
          </>
        )}
      </span>
      <span className="min-w-0">
        <span className="block max-w-48 truncate leading-tight">{name}</span>
        <span
          role={isFailed ? "alert" : undefined}
          className={cx("block text-xs tabular-nums leading-tight", isFailed ? "text-bad" : "text-muted")}
        >
          {words}
        </span>
      </span>
      {children}
    </li>
  )
}

function TypeSign({ mediaType }: { readonly mediaType: string }) {
  const Icon = mediaType.startsWith("audio/") ? FileAudio : FileText
  return <Icon aria-hidden className="size-4 text-muted" />
}

function busyWords(bytes: number, percent: number | undefined): string {
  const size = sizeWords(bytes)
  return percent === undefined ? t("uploadingSize", { size }) : t("uploadingPercent", { percent, size })
}

/** The server's own message when it is about this file; when storage is full, also where to free up space. */
function failureWords(note: Upload["note"]): string {
  if (note === undefined) return t("uploadFailed")
  if (note.code === "attachment.full") return problemWords(note).detail
  const isAboutIt = note.code.startsWith("attachment.") || note.code === "request.too-large"
  return isAboutIt ? note.detail : `${problemWords(note).title}.`
}
