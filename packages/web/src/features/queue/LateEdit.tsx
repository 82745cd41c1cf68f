import { KeptWords } from "../../ui/KeptWords.tsx"
import type { Editing } from "./editing.ts"

export type LateEditProps = {
  readonly editing: Editing
  readonly started: boolean
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

/** The message went while it was being edited: the edit lost, its words did not (QUE-9). */
export function LateEdit({ editing, started, onKeep, onDiscard }: LateEditProps) {
  const title = started
    ? "This message started before your change was saved. You wrote:"
    : "This message was removed in another window. You wrote:"
  return <KeptWords title={title} text={editing.text} onKeep={onKeep} onDiscard={onDiscard} />
}
