import { Check, Copy, Link2 } from "lucide-react"
import { useId, useState } from "react"
import { t } from "../../texts/en/share.ts"
import { Button } from "../../ui/Button.tsx"
import { copyText } from "../../ui/CopyButton.tsx"
import { Segments } from "../../ui/Segments.tsx"
import { type Choice, expiryOptions } from "./shareView.ts"

export type NewLinkProps = {
  readonly choice: Choice
  /** The link that was just created. */
  readonly link: string | undefined
  /** It is in the clipboard already. */
  readonly isCopied: boolean
  readonly isBusy: boolean
  readonly onChoose: (choice: Choice) => void
  readonly onCreate: () => void
}

/** What is shared and for how long, and the link. */
export function NewLink({ choice, link, isCopied, isBusy, onChoose, onCreate }: NewLinkProps) {
  const expires = useId()
  return (
    <section className="space-y-3.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">{t("what")}</span>
        <Segments
          label={t("what")}
          value={choice.mode}
          options={[
            { value: "snapshot", label: t("snapshot") },
            { value: "live", label: t("live") },
          ]}
          onChange={(mode) => onChoose({ ...choice, mode })}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <label htmlFor={expires} className="font-medium">
          {t("expires")}
        </label>
        <select
          id={expires}
          value={choice.days ?? ""}
          onChange={({ target: { value } }) => onChoose({ ...choice, days: value === "" ? undefined : Number(value) })}
          className="rounded-lg border border-line-strong bg-raised px-2.5 py-1.5 pointer-coarse:min-h-10"
        >
          {expiryOptions().map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <fieldset className="flex flex-wrap gap-x-5 gap-y-2">
        <legend className="mb-1.5 font-medium">{t("more")}</legend>
        {(["name", "details", "files"] as const).map((one) => (
          <label key={one} className="inline-flex items-center gap-2 pointer-coarse:min-h-10">
            <input
              type="checkbox"
              checked={choice.shows[one]}
              onChange={({ target: { checked } }) =>
                onChoose({ ...choice, shows: { ...choice.shows, [one]: checked } })
              }
              className="size-4 accent-accent"
            />
            {one === "name" ? t("myName") : one === "details" ? t("details") : t("files")}
          </label>
        ))}
      </fieldset>
      {link === undefined ? (
        <Button look="main" data-autofocus disabled={isBusy} onClick={onCreate} className="w-full">
          <Link2 aria-hidden className="size-4" /> {t("createLink")}
        </Button>
      ) : (
        <ReadyLink link={link} wasCopied={isCopied} />
      )}
    </section>
  )
}

function ReadyLink({ link, wasCopied }: { readonly link: string; readonly wasCopied: boolean }) {
  const [isCopied, setCopied] = useState(wasCopied)
  const copy = () => void copyText(link).then((outcome) => setCopied(outcome === "copied"))
  return (
    <div className="space-y-1.5">
      <div className="flex gap-2">
        <input
          readOnly
          aria-label={t("link")}
          value={link}
          onFocus={({ target }) => target.select()}
          className="min-w-0 flex-1 rounded-lg border border-line-strong bg-sunken px-3 py-1.5 font-mono text-xs"
        />
        <Button look="main" autoFocus onClick={copy}>
          {isCopied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
          <span aria-live="polite">{isCopied ? t("copied") : t("copyLink")}</span>
        </Button>
      </div>
      <p className="text-muted text-xs">{t("linkReady")}</p>
    </div>
  )
}
