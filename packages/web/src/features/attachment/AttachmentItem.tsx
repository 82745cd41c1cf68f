import type { Parlor } from "@parlor/client"
import { type ListedAttachment, sizeWords } from "@parlor/protocol"
import { Download, Eye, EyeOff, FileAudio, FileText, Image, LoaderCircle, type LucideIcon, Trash2 } from "lucide-react"
import { useState } from "react"
import { t as words } from "../../texts/en/attachment.ts"
import { t } from "../../texts/en/attachments.ts"
import { t as common } from "../../texts/en/common.ts"
import { momentText } from "../../texts/format.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import { kindWords } from "./attachmentsView.ts"
import { isPicture } from "./media.ts"
import { Opened } from "./Opened.tsx"
import { type OpenedState, useOpened } from "./useOpened.ts"

export type AttachmentItemProps = {
  readonly attachments: Pick<Parlor["attachments"], "read">
  readonly attachment: ListedAttachment
  readonly onDelete: (hash: string) => void
}

/** One attachment, with buttons to show or download it and to delete it after confirmation. */
export function AttachmentItem({ attachments, attachment, onDelete }: AttachmentItemProps) {
  const { hash, name, mediaType, bytes, at } = attachment
  const [asking, setAsking] = useState(false)
  const opened = useOpened(attachments, attachment)
  const Sign = signOf(mediaType)
  const Act = opened.isLoading ? LoaderCircle : actSigns[opened.act]
  return (
    <li className="rounded-xl border border-line bg-raised px-3 py-2.5">
      <div className="flex items-center gap-2">
        <span className="mr-1 inline-flex size-9 shrink-0 items-center justify-center rounded-lg bg-sunken">
          <Sign aria-hidden className="size-4 text-muted" />
        </span>
        <div className="min-w-0 flex-1">
          <p className="break-words">{name}</p>
          <p className="mt-0.5 text-muted text-xs">
            {kindWords(mediaType)} · {sizeWords(bytes)} ·{" "}
            <time dateTime={new Date(at).toISOString()}>{momentText(at)}</time>
          </p>
        </div>
        <IconButton label={words(opened.act, { name })} onClick={() => void opened.open()}>
          <Act aria-hidden className="size-3.5" />
        </IconButton>
        <IconButton label={t("deleteName", { name })} onClick={() => setAsking(true)}>
          <Trash2 aria-hidden className="size-3.5" />
        </IconButton>
      </div>
      <Opened opened={opened} name={name} />
      {asking && (
        <Confirm
          title={t("deleteNameAsk", { name })}
          action={common("delete")}
          onDo={() => {
            setAsking(false)
            onDelete(hash)
          }}
          onClose={() => setAsking(false)}
        >
          {t("deleteMeans")}
        </Confirm>
      )}
    </li>
  )
}

const actSigns: Readonly<Record<OpenedState["act"], LucideIcon>> = {
  showName: Eye,
  hideName: EyeOff,
  downloadName: Download,
}

function signOf(mediaType: string): LucideIcon {
  if (isPicture(mediaType)) return Image
  return mediaType.startsWith("audio/") ? FileAudio : FileText
}
