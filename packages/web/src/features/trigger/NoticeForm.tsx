import type { BodyInputOf } from "@parlor/protocol"
import { type FormEvent, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/trigger.ts"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { FormFrame } from "./FormFrame.tsx"

export type NoticeFormProps = {
  /** Resolves to whether it was accepted. */
  readonly onMake: (notice: BodyInputOf<"makeNotice">) => Promise<boolean>
  readonly onClose: () => void
}

/** The form for an outgoing webhook (TRG-9). */
export function NoticeForm({ onMake, onClose }: NoticeFormProps) {
  const [url, setUrl] = useState("")
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (url.trim() !== "" && (await onMake({ url: url.trim() }))) onClose()
  }
  return (
    <FormFrame label={t("newOutgoing")} onSubmit={submit}>
      <Field label="URL" hint={t("outgoingHint")}>
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
          {t("create")}
        </Button>
        <Button onClick={onClose}>{common("cancel")}</Button>
      </div>
    </FormFrame>
  )
}
