import { t } from "../../texts/en/timeline.ts"
import { Button } from "../../ui/Button.tsx"
import { AgentFace } from "../agent/AgentFace.tsx"

const examples = ["whatCanYouDo", "showMeMarkdown", "countSlowlyTo50", "whatTimeIsIt"] as const

export type EmptyConversationProps = {
  readonly agent: string
  readonly description: string | undefined
  readonly onPick: (text: string) => void
}

/** The empty state: the agent, examples to try, and a short introduction. */
export function EmptyConversation({ agent, description, onPick }: EmptyConversationProps) {
  return (
    <section aria-label={t("getStarted")} className="my-auto animate-arrive py-10">
      <AgentFace name={agent} />
      <h2 className="mt-4 font-semibold text-xl tracking-tight">{t("chatWithAgent", { agent })}</h2>
      <p className="mt-1.5 max-w-prose text-muted">
        {description === undefined || description === "" ? "" : `${description.replace(/(?<![.!?…])$/, ".")} `}
        {t("everythingHereIsSavedClose")}
      </p>
      <div className="mt-5 flex flex-wrap gap-2">
        {examples
          .map((key) => t(key))
          .map((text) => (
            <Button key={text} look="pill" onClick={() => onPick(text)}>
              {text}
            </Button>
          ))}
      </div>
      <p className="mt-6 max-w-prose text-muted text-sm">{t("whileAgentIsReplyingYou", { agent })}</p>
    </section>
  )
}
