import { sizeWords } from "@parlor/protocol"
import { Paperclip } from "lucide-react"
import { t } from "../../texts/en/attachments.ts"
import { Empty } from "../../ui/Empty.tsx"
import { limitWords } from "./media.ts"

/** The empty state: explains how to attach files. */
export function EmptyAttachments({ most }: { readonly most: number }) {
  return (
    <Empty icon={Paperclip} title={t("none")}>
      <p>{t("howToAttach", { limits: limitWords() })}</p>
      <p className="mt-3">{t("storedUntil", { most: sizeWords(most) })}</p>
    </Empty>
  )
}
