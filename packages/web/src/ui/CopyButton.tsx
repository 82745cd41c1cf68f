import { Check, Copy } from "lucide-react"
import { useEffect, useState } from "react"
import { t } from "../texts/en/ui.ts"
import { IconButton } from "./IconButton.tsx"

const shownMs = 1_600

type Outcome = "copied" | "refused"

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () => void copyText(text).then(setOutcome)
  const said = outcome === "copied" ? t("copied") : outcome === "refused" ? t("theBrowserBlockedCopying") : label
  return (
    <IconButton label={said} onClick={copy}>
      {outcome === "copied" ? <Check className="size-3.5 text-accent" /> : <Copy className="size-3.5" />}
    </IconButton>
  )
}

/** The clipboard API is missing on insecure pages. */
export async function copyText(text: string): Promise<Outcome> {
  try {
    await navigator.clipboard.writeText(text)
    return "copied"
  } catch {
    return "refused"
  }
}
