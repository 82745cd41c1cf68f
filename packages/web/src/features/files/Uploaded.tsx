import { t } from "../../texts/en/files.ts"
import { rich } from "../../texts/rich.ts"
import { Button } from "../../ui/Button.tsx"
import { problemWords } from "../status/problemWords.ts"
import type { Taken } from "./uploads.ts"

export type UploadedProps = { readonly taken: Taken; readonly onReplace: () => void; readonly onClose: () => void }

/** The result of an upload, when something was not uploaded. */
export function Uploaded({ taken, onReplace, onClose }: UploadedProps) {
  const { made, met, refused, stopped } = taken
  if (met.length + refused.length + stopped.length === 0)
    return (
      <p role="status" className="sr-only">
        {t("uploaded", { names: made.join(", ") })}
      </p>
    )
  return (
    <section aria-label={t("uploads")} className="m-4 space-y-2 rounded-xl bg-warn-tint px-4 py-3 text-sm">
      {met.length > 0 && (
        <p role="alert">
          {rich(
            t.pieces("notOverwritten", {
              label: <strong className="font-semibold text-warn">{t("alreadyThere")}</strong>,
              names: met.map(({ name }) => name).join(", "),
            }),
          )}
        </p>
      )}
      {stopped.length > 0 && (
        <p role="status" className="break-words">
          {rich(
            t.pieces("notUploaded", {
              label: <strong className="font-semibold text-warn">{t("stopped")}</strong>,
              names: stopped.join(", "),
            }),
          )}
        </p>
      )}
      {refused.map(({ name, note }) => (
        <p key={name} role="alert" className="break-words">
          <strong className="font-semibold text-bad">{name}:</strong> {problemWords(note).title}.{" "}
          {problemWords(note).detail}
        </p>
      ))}
      <p className="flex gap-2">
        {met.length > 0 && <Button onClick={onReplace}>{t("replace", { count: met.length })}</Button>}
        <Button onClick={onClose}>{t(met.length > 0 ? "keepExisting" : "ok")}</Button>
      </p>
    </section>
  )
}
