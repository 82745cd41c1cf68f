import { type FormEvent, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Mark } from "../../ui/Mark.tsx"
import { tokenFromPaste } from "./intake.ts"

export type TokenPageProps = {
  /** True when the server turned down the token that this browser had. */
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
          The server refused the token this browser had. It may have been replaced: use the newest address.
        </p>
      )}
      <p className="mt-3 text-muted">
        This page needs the token of its server, so that nobody else on this machine can read your conversations.
      </p>
      <p className="mt-3 text-muted">
        The command that started Parlor prints an address that carries it, and so does <code>parlor link</code>. Open
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
            ? "There is no token in that text. It follows “#token=” in the printed address."
            : "It stays in this browser. The same token is in the file “token” of Parlor’s data folder, “.parlor” unless you chose another."}
        </p>
      </form>
    </main>
  )
}

function addressExample(): string {
  return typeof location === "undefined" ? "http://127.0.0.1:4141/#token=…" : `${location.origin}/#token=…`
}
