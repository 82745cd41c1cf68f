import type { Parlor } from "@parlor/client"
import type { ProviderBody, ProviderView } from "@parlor/protocol"
import { type FormEvent, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/providers.ts"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"

export type AccountFormProps = {
  readonly parlor: Parlor
  readonly view: ProviderView
  readonly title: string
  readonly onCancel: () => void
  readonly onSaved: () => Promise<void>
}

/** The key of a provider, tested before it is stored. It is kept in this form only, and forgotten when it closes. */
export function AccountForm({ parlor, view, title, onCancel, onSaved }: AccountFormProps) {
  const { provider, needs, keyPage, stored } = view
  const [key, setKey] = useState("")
  const [url, setUrl] = useState(stored?.url ?? "")
  const [model, setModel] = useState(needs === "url" ? (stored?.model ?? "") : "")
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Note>()
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      await parlor.providers.connect(provider, bodyOf({ key, url, model }, needs === "url"))
      await onSaved()
    } catch (error) {
      setProblem(noteOf(error))
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void save(event)} className="space-y-3">
      {needs === "url" && (
        <Field label={t("address")} hint={t("addressHint")}>
          {(props) => (
            <input
              {...props}
              type="url"
              required
              data-autofocus
              // biome-ignore lint/a11y/noAutofocus: the form was opened to type here.
              autoFocus
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
      )}
      <Field label={needs === "url" ? t("apiKeyOptional") : t("apiKey")} hint={t("keyStays")}>
        {(props) => (
          <input
            {...props}
            type="password"
            autoComplete="off"
            spellCheck={false}
            required={needs === "key"}
            // biome-ignore lint/a11y/noAutofocus: the form was opened to type here.
            autoFocus={needs === "key"}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
      </Field>
      {needs === "url" && (
        <Field label={t("modelId")} hint={t("modelIdHint")}>
          {(props) => <input {...props} value={model} onChange={(event) => setModel(event.target.value)} />}
        </Field>
      )}
      {problem && <Alert note={problem} />}
      <div className="flex flex-wrap items-center justify-end gap-2">
        {keyPage !== null && (
          <a
            href={keyPage}
            target="_blank"
            rel="noopener noreferrer"
            className="mr-auto text-accent underline underline-offset-2"
          >
            {t("getAKey", { title })}
          </a>
        )}
        <Button onClick={onCancel}>{common("cancel")}</Button>
        <Button type="submit" look="main" disabled={isBusy || (needs === "key" && key.trim() === "")}>
          {isBusy ? t("testing", { title }) : t("testAndSave")}
        </Button>
      </div>
    </form>
  )
}

function bodyOf(
  given: { readonly key: string; readonly url: string; readonly model: string },
  hasUrl: boolean,
): ProviderBody {
  const { key, url, model } = given
  return {
    ...(key.trim() === "" ? {} : { key: key.trim() }),
    ...(hasUrl ? { url: url.trim() } : {}),
    ...(model.trim() === "" ? {} : { model: model.trim() }),
  }
}
