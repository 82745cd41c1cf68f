import { AuthorLine } from "./AuthorLine.tsx"

/** Shown between sending and the first token of the reply. */
export function Thinking({ name }: { readonly name: string }) {
  return (
    <p className="flex h-6 items-center gap-1" aria-label={`${name} is thinking`} role="img">
      {[0, 180, 360].map((delayMs) => (
        <span
          key={delayMs}
          style={{ animationDelay: `${delayMs}ms` }}
          className="size-1.5 animate-breathe rounded-full bg-muted"
        />
      ))}
    </p>
  )
}

/** The same before the agent's message exists, in its place. */
export function ThinkingMessage({ name, named }: { readonly name: string; readonly named: boolean }) {
  return (
    <div className={named ? "mt-7" : "mt-3"}>
      {named && <AuthorLine name={name} />}
      <Thinking name={name} />
    </div>
  )
}
