import { t } from "../../texts/en/trigger.ts"
import { Button } from "../../ui/Button.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"

export type SecretProps = { readonly url: string; readonly secret: string; readonly onClose: () => void }

/** Shown once, until dismissed. */
export function Secret({ url, secret, onClose }: SecretProps) {
  return (
    <section
      aria-label={t("secret")}
      className="mt-4 animate-arrive rounded-xl border border-line-strong bg-sunken p-4 text-sm"
    >
      <p className="font-medium">{t("giveThese")}</p>
      <dl className="mt-3 space-y-2">
        <Copied name={t("address")} label={t("copyAddress")} text={url} />
        <Copied name={t("secretName")} label={t("copySecret")} text={secret} />
      </dl>
      <Button className="mt-3" onClick={onClose}>
        {t("done")}
      </Button>
    </section>
  )
}

type CopiedProps = { readonly name: string; readonly label: string; readonly text: string }

function Copied({ name, label, text }: CopiedProps) {
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-raised py-1 pr-1 pl-3">
      <dt className="w-16 shrink-0 text-muted text-xs">{name}</dt>
      <dd className="min-w-0 flex-1 break-all font-mono text-xs">{text}</dd>
      <CopyButton text={text} label={label} />
    </div>
  )
}
