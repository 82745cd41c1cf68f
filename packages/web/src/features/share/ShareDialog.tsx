import type { Conversation, Parlor } from "@parlor/client"
import { useCallback, useState } from "react"
import { t } from "../../texts/en/share.ts"
import { Button } from "../../ui/Button.tsx"
import { copyText } from "../../ui/CopyButton.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { useList } from "../list/useList.ts"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { NewLink } from "./NewLink.tsx"
import { SaveCopy } from "./SaveCopy.tsx"
import { SharedNow } from "./SharedNow.tsx"
import { type Choice, firstChoice, sharesOf } from "./shareView.ts"

export type ShareDialogProps = {
  readonly parlor: Parlor
  readonly conversation: Conversation
  readonly title: string
  readonly onClose: () => void
}

/** Shares a conversation, shows with whom it is shared, and saves copies of it (SHR-13). */
export function ShareDialog({ parlor, conversation, title, onClose }: ShareDialogProps) {
  const { agent, branch } = conversation
  const [choice, setChoice] = useState<Choice>(firstChoice)
  const [link, setLink] = useState<string>()
  const [isCopied, setCopied] = useState(false)
  const [person, setPerson] = useState("")
  const [refusal, setRefusal] = useState<Note>()
  const [isBusy, setBusy] = useState(false)
  const read = useCallback(() => parlor.shares.list({ agent, branch }), [parlor, agent, branch])
  const { items, note, reload } = useList(read)
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
      setRefusal(undefined)
    } catch (error) {
      setRefusal(noteOf(error))
    }
    setBusy(false)
    reload()
  }
  const create = (viewer: string | null) =>
    attempt(async () => {
      const made = await parlor.shares.make(agent, branch, sharesOf(choice, viewer, Date.now()))
      if (made.path === null) return setPerson("")
      const url = `${location.origin}${made.path}`
      setCopied((await copyText(url)) === "copied")
      setLink(url)
    })
  const problem = refusal ?? note
  return (
    <Dialog
      title={title === "" ? t("shareThis") : t("shareTitle", { title })}
      isOpen
      onClose={onClose}
      className="w-[min(32rem,94vw)]"
    >
      <div className="space-y-5 text-sm">
        <p className="text-muted">{t("privateByDefault")}</p>
        <NewLink
          choice={choice}
          link={link}
          isCopied={isCopied}
          isBusy={isBusy}
          onChoose={(next) => {
            setChoice(next)
            setLink(undefined)
          }}
          onCreate={() => void create(null)}
        />
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (person.trim() !== "") void create(person.trim())
          }}
        >
          <h3 className="mb-1.5 font-medium">{t("withPerson")}</h3>
          <div className="flex gap-2">
            <input
              aria-label={t("personName")}
              placeholder={t("personName")}
              value={person}
              onChange={(event) => setPerson(event.target.value)}
              className="min-w-0 flex-1 rounded-lg border border-line-strong bg-raised px-3 py-1.5 outline-none focus:border-accent"
            />
            <Button type="submit" disabled={isBusy || person.trim() === ""}>
              {t("share")}
            </Button>
          </div>
        </form>
        {problem !== undefined && <Alert note={problem} />}
        <SharedNow
          shares={items ?? []}
          onStop={(id) =>
            void attempt(async () => {
              await parlor.shares.revoke(id)
              if (link?.includes(`#${id}.`)) setLink(undefined)
            })
          }
        />
        <SaveCopy conversation={conversation} onRefusal={(error) => setRefusal(noteOf(error))} />
      </div>
    </Dialog>
  )
}
