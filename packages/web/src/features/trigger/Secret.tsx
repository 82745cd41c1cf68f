import { Button } from "../../ui/Button.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"

export type SecretProps = { readonly url: string; readonly secret: string; readonly onClose: () => void }

/** Shown once, until dismissed. */
export function Secret({ url, secret, onClose }: SecretProps) {
  return (
    <section
      aria-label="Webhook secret"
      className="mt-4 animate-arrive rounded-xl border border-line-strong bg-sunken p-4 text-sm"
    >
      <p className="font-medium">Give these to the program that will call it. The secret won't be shown again.</p>
      <dl className="mt-3 space-y-2">
        <Copied name="Address" text={url} />
        <Copied name="Secret" text={secret} />
      </dl>
      <Button className="mt-3" onClick={onClose}>
        Done
      </Button>
    </section>
  )
}

function Copied({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-raised py-1 pr-1 pl-3">
      <dt className="w-16 shrink-0 text-muted text-xs">{name}</dt>
      <dd className="min-w-0 flex-1 break-all font-mono text-xs">{text}</dd>
      <CopyButton text={text} label={`Copy ${name.toLowerCase()}`} />
    </div>
  )
}
