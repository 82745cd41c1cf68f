import { Button } from "../../ui/Button.tsx"

export type SecretProps = { readonly url: string; readonly secret: string; readonly onClose: () => void }

/** Shown once, until it is put away. */
export function Secret({ url, secret, onClose }: SecretProps) {
  return (
    <section aria-label="The secret" className="mt-4 rounded-xl border border-line bg-sunken p-4 text-sm">
      <p>Give these to whoever is to call it. The secret is not shown again.</p>
      <p className="mt-2 break-all">
        <code>{url}</code>
      </p>
      <p className="mt-1 break-all">
        <code>{secret}</code>
      </p>
      <Button className="mt-3" onClick={onClose}>
        Done
      </Button>
    </section>
  )
}
