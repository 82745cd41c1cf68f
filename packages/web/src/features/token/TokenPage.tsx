import { t } from "../../texts/en/token-page.ts"
import { rich } from "../../texts/rich.ts"
import { Mark } from "../../ui/Mark.tsx"
import { TokenForm } from "./TokenForm.tsx"

export type TokenPageProps = {
  /** True when the server rejected this browser's token. */
  readonly refused: boolean
  readonly onToken: (token: string) => void
}

export function TokenPage({ refused, onToken }: TokenPageProps) {
  return (
    <main className="mx-auto flex min-h-full max-w-lg flex-col justify-center px-6 py-12">
      <Mark className="size-11" />
      <h1 className="mt-5 font-semibold text-2xl tracking-tight">{t("openParlor")}</h1>
      {refused && (
        <p role="alert" className="mt-3 rounded-lg bg-bad-tint px-3.5 py-2.5 text-bad">
          {t("rejected")}
        </p>
      )}
      <p className="mt-3 text-muted">{t("needsToken")}</p>
      <p className="mt-3 text-muted">{rich(t.pieces("whereToFind", { command: <code>parlor link</code> }))}</p>
      <pre className="mt-3 whitespace-pre-wrap break-all rounded-lg border border-line bg-sunken px-3.5 py-2.5 font-mono text-sm">
        {t("startExample", { address: addressExample() })}
      </pre>
      <TokenForm onToken={onToken} />
    </main>
  )
}

function addressExample(): string {
  return typeof location === "undefined" ? "http://127.0.0.1:4141/#token=…" : `${location.origin}/#token=…`
}
