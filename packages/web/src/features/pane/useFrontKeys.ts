import { lastSettled, openNewSidecar } from "../branch/side.ts"
import { useShortcut } from "../keyboard/useShortcut.ts"
import { isBusy } from "../sends/pending.ts"
import type { Pane } from "./ConversationPane.tsx"

export type FrontActs = {
  /** Reports a rejected action. */
  readonly attempt: (work: Promise<unknown>) => Promise<boolean>
  readonly onRename: () => void
}

/** Shortcuts for the conversation in front. */
export function useFrontKeys({ conversation, live, state }: Pane, { attempt, onRename }: FrontActs): void {
  useShortcut("rename", onRename)
  useShortcut("aside", () => void attempt(openNewSidecar(conversation, lastSettled(state?.messages ?? []))))
  useShortcut("stop", () => void attempt(live?.stop() ?? Promise.resolve()), isBusy(state?.status))
}
