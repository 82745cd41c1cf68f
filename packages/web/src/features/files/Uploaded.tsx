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
        Uploaded: {made.join(", ")}
      </p>
    )
  return (
    <section aria-label="Uploads" className="m-4 space-y-2 rounded-xl bg-warn-tint px-4 py-3 text-sm">
      {met.length > 0 && (
        <p role="alert">
          <strong className="font-semibold text-warn">Already there:</strong> {met.map(({ name }) => name).join(", ")}.
          Nothing was overwritten.
        </p>
      )}
      {stopped.length > 0 && (
        <p role="status" className="break-words">
          <strong className="font-semibold text-warn">Stopped.</strong> Not uploaded: {stopped.join(", ")}.
        </p>
      )}
      {refused.map(({ name, note }) => (
        <p key={name} role="alert" className="break-words">
          <strong className="font-semibold text-bad">{name}:</strong> {problemWords(note).title}.{" "}
          {problemWords(note).detail}
        </p>
      ))}
      <p className="flex gap-2">
        {met.length > 0 && <Button onClick={onReplace}>Replace {met.length === 1 ? "it" : "them"}</Button>}
        <Button onClick={onClose}>{met.length > 0 ? "Keep existing" : "OK"}</Button>
      </p>
    </section>
  )
}
