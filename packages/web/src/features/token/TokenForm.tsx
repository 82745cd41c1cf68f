import { type FormEvent, useState } from "react"
import { t } from "../../texts/en/token-page.ts"
import { Button } from "../../ui/Button.tsx"
import { tokenFromPaste } from "./intake.ts"

/** Takes a pasted address or token. */
export function TokenForm({ onToken }: { readonly onToken: (token: string) => void }) {
  const [pasted, setPasted] = useState("")
  const [unreadable, setUnreadable] = useState(false)
  const open = (event: FormEvent) => {
    event.preventDefault()
    const token = tokenFromPaste(pasted)
    if (token === undefined) setUnreadable(true)
    else onToken(token)
  }
  return (
    <form onSubmit={open} className="mt-5">
      <label htmlFor="token" className="font-medium text-sm">
        {t("addressOrToken")}
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
          {t("open")}
        </Button>
      </div>
      <p id="token-help" className="mt-2 text-muted text-sm" aria-live="polite">
        {t(unreadable ? "noToken" : "storedHere")}
      </p>
    </form>
  )
}
