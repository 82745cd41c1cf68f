import { Check, Copy } from "lucide-react"
import { useEffect, useState } from "react"
import { IconButton } from "./IconButton.tsx"

const shownMs = 1_600

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [outcome, setOutcome] = useState<"copied" | "refused" | undefined>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome("copied"),
      () => setOutcome("refused"),
    )
  const said = outcome === "copied" ? "Copied" : outcome === "refused" ? "The browser refused to copy" : label
  return (
    <IconButton label={said} onClick={copy}>
      {outcome === "copied" ? <Check className="size-3.5 text-accent" /> : <Copy className="size-3.5" />}
    </IconButton>
  )
}
