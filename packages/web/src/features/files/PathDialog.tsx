import { type FormEvent, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/files.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Field } from "../../ui/Field.tsx"
import { noteOf, problemWords } from "../status/problemWords.ts"

export type PathDialogProps = {
  readonly title: string
  /** The button's label. */
  readonly action: string
  readonly path: string
  readonly onDone: (path: string) => Promise<void>
  readonly onClose: () => void
}

/** Asks for a file's path. Errors are shown at the field. */
export function PathDialog({ title, action, path: given, onDone, onClose }: PathDialogProps) {
  const [path, setPath] = useState(given)
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = path.trim().normalize("NFC")
    if (wanted === "" || wanted === given) return
    onDone(wanted).then(onClose, (error: unknown) => {
      const { title, detail } = problemWords(noteOf(error))
      setProblem(`${title}. ${detail}`)
    })
  }
  return (
    <Dialog title={title} isOpen onClose={onClose} className="w-[min(30rem,94vw)]">
      <form onSubmit={submit} className="space-y-4">
        <Field label={t("path")} problem={problem} hint={t("pathHint")}>
          {(props) => (
            <input
              {...props}
              data-autofocus
              value={path}
              autoComplete="off"
              placeholder="notes/plan.md"
              onChange={(event) => setPath(event.target.value)}
            />
          )}
        </Field>
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>{common("cancel")}</Button>
          <Button type="submit" look="main" disabled={path.trim() === "" || path.trim() === given}>
            {action}
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
