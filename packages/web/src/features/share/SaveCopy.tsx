import type { Conversation } from "@parlor/client"
import { useState } from "react"
import { t } from "../../texts/en/share.ts"
import { Button } from "../../ui/Button.tsx"
import { download } from "../../ui/download.ts"
import { asHtml, asMarkdown, printed } from "./documents.ts"

export type SaveCopyProps = { readonly conversation: Conversation; readonly onRefusal: (error: unknown) => void }

/** The conversation as a document (SHR-11). */
export function SaveCopy({ conversation, onRefusal }: SaveCopyProps) {
  const [isBusy, setBusy] = useState(false)
  const { agent, branch } = conversation
  const act = (work: () => Promise<void>) => () => {
    setBusy(true)
    void work()
      .catch(onRefusal)
      .finally(() => setBusy(false))
  }
  const save = (ending: string, text: string) =>
    download(`${agent}-${branch}.${ending}`, new TextEncoder().encode(text))
  return (
    <section>
      <h3 className="mb-1.5 font-medium">{t("save")}</h3>
      <div className="flex flex-wrap gap-2">
        <Button disabled={isBusy} onClick={act(async () => save("md", await asMarkdown(conversation)))}>
          {t("asMarkdown")}
        </Button>
        <Button disabled={isBusy} onClick={act(async () => save("html", await asHtml(conversation)))}>
          {t("asHtml")}
        </Button>
        <Button disabled={isBusy} onClick={act(async () => printed(await asHtml(conversation)))}>
          {t("print")}
        </Button>
      </div>
    </section>
  )
}
