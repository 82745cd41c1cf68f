import type { MessageRow } from "@parlor/protocol"
import { t } from "../../texts/en/ask.ts"
import { KeptWords } from "../../ui/KeptWords.tsx"
import { useShortcut } from "../keyboard/useShortcut.ts"
import { askedWords } from "../message/askedWords.ts"
import { AskCard } from "./AskCard.tsx"
import { closedWords, toolOf } from "./askView.ts"
import { ClosedAsk } from "./ClosedAsk.tsx"
import type { Asks } from "./useAsks.ts"

export type AskListProps = {
  readonly asks: Asks
  readonly messages: readonly MessageRow[]
  readonly onKeep: (text: string) => void
}

/** The open asks, at the end of the conversation. */
export function AskList({ asks, messages, onKeep }: AskListProps) {
  const first = asks.shown.find(({ closed }) => closed === undefined)
  useShortcut("answerAsk", focusFirst, first !== undefined)
  return asks.shown.map((one) => {
    const { id } = one.ask
    const tool = toolOf(one.ask, messages)
    if (one.closed === undefined) return <AskCard key={id} ask={one.ask} tool={tool} asks={asks} />
    // Its row says it now.
    if (one.draft === "" && tool !== undefined && askedWords(tool) !== undefined) return null
    const words = closedWords(one, tool)
    if (one.draft === "") return <ClosedAsk key={id} title={one.ask.title} words={words} />
    const forget = () => asks.draft(id, "")
    const keep = () => {
      onKeep(one.draft)
      forget()
    }
    return (
      <div key={id} className="mt-4">
        <KeptWords
          title={t("titleWordsYouWrote", { title: one.ask.title, words })}
          text={one.draft}
          onKeep={keep}
          onDiscard={forget}
        />
      </div>
    )
  })
}

/** Moves the focus to the answer controls, past the details. */
function focusFirst(): void {
  const card = document.querySelector('[data-ask="open"]')
  card?.scrollIntoView({ block: "nearest" })
  card?.querySelector<HTMLElement>("button, input, select, textarea")?.focus()
}
