import type { Parlor } from "@parlor/client"
import type { AccountView } from "@parlor/protocol"
import { type FormEvent, useState } from "react"
import { t } from "../../texts/en/account.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Field } from "../../ui/Field.tsx"
import { registry } from "../keyboard/useShortcut.ts"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { isConfirmed } from "./confirmation.ts"

export type DeleteDialogProps = {
  readonly parlor: Pick<Parlor, "deletePerson">
  readonly account: AccountView
  readonly onClose: () => void
}

/** Deletes everything of the person, after they typed a phrase. Then they are signed out. */
export function DeleteDialog({ parlor, account, onClose }: DeleteDialogProps) {
  const [typed, setTyped] = useState("")
  const [isBusy, setBusy] = useState(false)
  const [note, setNote] = useState<Note>()
  const phrase = t("deletePhrase")
  const remove = async (event: FormEvent) => {
    event.preventDefault()
    if (!isConfirmed(typed, phrase) || isBusy) return
    setBusy(true)
    setNote(undefined)
    try {
      await parlor.deletePerson(account.person, { confirm: account.person })
      registry.run("leave")
    } catch (error) {
      setNote(noteOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={t("deleteQuestion")} isOpen onClose={onClose} className="w-[min(30rem,94vw)]">
      <form onSubmit={remove} className="space-y-4 text-sm">
        <p>{t("deleteWarning")}</p>
        <Field label={t("typeToConfirm", { phrase })}>
          {(props) => (
            <input
              {...props}
              data-autofocus
              value={typed}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        {note && <Alert note={note} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" look="bad" disabled={!isConfirmed(typed, phrase) || isBusy}>
            {isBusy ? t("deleting") : t("deleteEverything")}
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
