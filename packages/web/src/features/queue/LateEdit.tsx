import { t } from "../../texts/en/queue.ts"
import { KeptWords } from "../../ui/KeptWords.tsx"
import type { Editing } from "./editing.ts"

export type LateEditProps = {
  readonly editing: Editing
  readonly started: boolean
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

/** The message started or was removed during the edit; the edited text is kept (QUE-9). */
export function LateEdit({ editing, started, onKeep, onDiscard }: LateEditProps) {
  const title = started ? t("thisMessageWasSentBefore") : t("thisMessageWasRemovedIn")
  return <KeptWords title={title} text={editing.text} onKeep={onKeep} onDiscard={onDiscard} />
}
