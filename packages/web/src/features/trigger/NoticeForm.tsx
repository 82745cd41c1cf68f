import type { BodyInputOf } from "@parlor/protocol"
import { type FormEvent, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { FormFrame } from "./FormFrame.tsx"

export type NoticeFormProps = {
  /** Resolves with whether it was taken. */
  readonly onMake: (notice: BodyInputOf<"makeNotice">) => Promise<boolean>
  readonly onClose: () => void
}

/** A program that is told when a turn finishes or an agent asks something (TRG-9). */
export function NoticeForm({ onMake, onClose }: NoticeFormProps) {
  const [url, setUrl] = useState("")
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (url.trim() !== "" && (await onMake({ url: url.trim() }))) onClose()
  }
  return (
    <FormFrame label="New notice" onSubmit={submit}>
      <Field
        label="Address to call"
        hint="It is told when a turn finishes and when an agent asks something, signed by Standard Webhooks."
      >
        {(props) => (
          <input
            {...props}
            type="url"
            inputMode="url"
            value={url}
            placeholder="https://example.com/parlor"
            onChange={({ target }) => setUrl(target.value)}
          />
        )}
      </Field>
      <div className="flex gap-2">
        <Button look="main" type="submit" disabled={url.trim() === ""}>
          Tell it
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </FormFrame>
  )
}
