import { Button } from "../../ui/Button.tsx"
import type { AnswerProps } from "./answerProps.ts"

export function ApprovalAnswer({ isSent, onAnswer }: AnswerProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button look="main" disabled={isSent} onClick={() => onAnswer(true)}>
        Allow
      </Button>
      <Button disabled={isSent} onClick={() => onAnswer(false)}>
        Deny
      </Button>
    </div>
  )
}
