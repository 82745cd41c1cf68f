import { type FormEvent, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Mark } from "../../ui/Mark.tsx"
import { tokenFromPaste } from "./intake.ts"

export type TokenPageProps = {
  /** True when the server rejected this browser's token. */
  readonly refused: boolean
  readonly onToken: (token: string) => void
}

export function TokenPage({ refused, onToken }: TokenPageProps) {
  const [pasted, setPasted] = useState("")
  const [unreadable, setUnreadable] = useState(false)
  const open = (event: FormEvent) => {
    event.preventDefault()
    const token = tokenFromPaste(pasted)
    if (token === undefined) setUnreadable(true)
    else onToken(token)
  }
  return (
    <main className="mx-auto flex min-h-full max-w-lg flex-col justify-center px-6 py-12">
      <Mark className="size-11" />
      <h1 className="mt-5 font-semibold text-2xl tracking-tight">Open Parlor</h1>
      {refused && (
        <p role="alert" className="mt-3 rounded-lg bg-bad-tint px-3.5 py-2.5 text-bad">
          The server rejected this browser's token. It may have been replaced: use the latest address.
        </p>
      )}
      <p className="mt-3 text-muted">
        This page needs your server's token, so that no one else on this machine can read your conversations.
      </p>
      <p className="mt-3 text-muted">
        The command that started Parlor prints an address that contains it, and so does <code>parlor link</code>. Open
        that address, or paste it here:
      </p>
      <pre className="mt-3 whitespace-pre-wrap break-all rounded-lg border border-line bg-sunken px-3.5 py-2.5 font-mono text-sm">
        {`$ npm start\nParlor is ready: ${addressExample()}`}
      </pre>
      <form onSubmit={open} className="mt-5">
        <label htmlFor="token" className="font-medium text-sm">
          Address or token
        </label>
        <div className="mt-1.5 flex gap-2">
          <input
            id="token"
            value={pasted}
            onChange={(event) => {
              setPasted(event.target.value)
              setUnreadable(false)
            }}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={unreadable}
            aria-describedby="token-help"
            placeholder="http://…/#token=…"
            className="min-w-0 flex-1 rounded-lg border border-line-strong bg-raised px-3 py-2 font-mono text-sm placeholder:text-muted"
          />
          <Button type="submit" look="main" disabled={pasted.trim() === ""}>
            Open
          </Button>
        </div>
        <p id="token-help" className="mt-2 text-muted text-sm" aria-live="polite">
          {unreadable
            ? "That text contains no token. Look for “#token=” in the printed address."
            : "It is stored only in this browser. You also find it in the file “token” in Parlor's data folder (“.parlor” by default)."}
        </p>
      </form>
    </main>
  )
}

function addressExample(): string {
  return typeof location === "undefined" ? "http://127.0.0.1:4141/#token=…" : `${location.origin}/#token=…`
}
