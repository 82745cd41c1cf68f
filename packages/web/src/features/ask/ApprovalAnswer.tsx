import { ChevronDown } from "lucide-react"
import { t } from "../../texts/en/ask.ts"
import { Button } from "../../ui/Button.tsx"
import { Menu } from "../../ui/Menu.tsx"
import type { AnswerProps } from "./answerProps.ts"

/** A hosted agent may offer more than yes and no, such as to always allow it (HST-4). */
export function ApprovalAnswer({ ask, isSent, onAnswer }: AnswerProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button look="main" disabled={isSent} onClick={() => onAnswer(true)}>
        {t("allow")}
      </Button>
      {ask.options?.map((option) => (
        <Button key={option} disabled={isSent} onClick={() => onAnswer(option)}>
          {option}
        </Button>
      ))}
      {ask.tool !== undefined && (
        <Menu
          align="start"
          items={[
            { label: t("inThisConversation"), onChoose: () => onAnswer(true, "conversation") },
            { label: t("inEveryConversationWithThis"), onChoose: () => onAnswer(true, "agent") },
          ]}
        >
          <Button disabled={isSent}>
            {t("alwaysAllow")} <ChevronDown aria-hidden className="size-3.5" />
          </Button>
        </Menu>
      )}
      <Button disabled={isSent} onClick={() => onAnswer(false)}>
        {t("deny")}
      </Button>
    </div>
  )
}
