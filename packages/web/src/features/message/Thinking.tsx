import { t } from "../../texts/en/message.ts"
import { AuthorLine } from "./AuthorLine.tsx"
import { StillWorking } from "./StillWorking.tsx"

/** Shown between sending and the first token of the reply. */
export function Thinking({ name }: { readonly name: string }) {
  return (
    <>
      <p className="flex h-6 items-center gap-1" aria-label={t("nameIsThinking", { name })} role="img">
        {[0, 180, 360].map((delayMs) => (
          <span
            key={delayMs}
            style={{ animationDelay: `${delayMs}ms` }}
            className="size-1.5 animate-breathe rounded-full bg-muted"
          />
        ))}
      </p>
      <StillWorking since={name} />
    </>
  )
}

/** The same before the agent's message exists, in its place. */
export function ThinkingMessage({ name, named }: { readonly name: string; readonly named: boolean }) {
  return (
    <div className="mt-3">
      {named && <AuthorLine name={name} />}
      <Thinking name={name} />
    </div>
  )
}
