import type { Conversation, LiveState } from "@parlor/client"
import { MAIN_BRANCH } from "@parlor/protocol"
import { useState } from "react"
import { t } from "../../texts/en/branch.ts"
import { t as common } from "../../texts/en/common.ts"
import { Button } from "../../ui/Button.tsx"
import { addressOf } from "../place/place.ts"
import { go } from "../place/usePlace.ts"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { useFeedRow } from "../tab/DeskContext.ts"
import { calledOf } from "../tab/tabList.ts"
import { sidecarActs } from "./sidecarActs.ts"

export type SidecarBarProps = {
  readonly conversation: Conversation
  readonly state: Pick<LiveState, "status"> | undefined
}

/** The bar above a sidecar opened in the main view: its parent, and buttons to merge, keep or close it (BRA-4). */
export function SidecarBar({ conversation, state }: SidecarBarProps) {
  const [refusal, setRefusal] = useState<Note>()
  const status = state?.status
  const row = useFeedRow(conversation.agent, status?.origin?.branch ?? MAIN_BRANCH)
  const called = calledOf(row)
  if (!status?.ephemeral) return null
  const { agent, branch } = conversation
  const parent = status.origin?.branch ?? MAIN_BRANCH
  const acts = sidecarActs(conversation, () => go(addressOf(agent, parent)))
  const act = (work: () => Promise<unknown>) => () =>
    work().then(
      () => setRefusal(undefined),
      (error: unknown) => setRefusal(noteOf(error)),
    )
  return (
    <section aria-label={t("sideChat")} className="border-line border-b bg-sunken px-5 py-2 text-sm max-md:px-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto text-muted">{t("sideChatOfCalled", { called })}</p>
        <Button onClick={() => go(addressOf(agent, parent, { side: branch }))}>{t("openSideBySide")}</Button>
        <Button onClick={act(acts.merge)} disabled={status.state !== "idle"}>
          {t("mergeAnswer")}
        </Button>
        <Button onClick={act(acts.keep)}>{t("keepAsBranch")}</Button>
        <Button onClick={act(acts.close)}>{common("close")}</Button>
      </div>
      {refusal && <Alert note={refusal} className="mt-2" />}
    </section>
  )
}
