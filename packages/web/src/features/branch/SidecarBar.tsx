import type { Conversation, LiveState } from "@parlor/client"
import { MAIN_BRANCH } from "@parlor/protocol"
import { useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { open } from "./BranchMenu.tsx"

export type SidecarBarProps = {
  readonly conversation: Conversation
  readonly state: Pick<LiveState, "status"> | undefined
}

/** What can become of a sidecar: kept, merged into what it hangs on, closed or deleted (BRA-4). */
export function SidecarBar({ conversation, state }: SidecarBarProps) {
  const [refusal, setRefusal] = useState<Note>()
  const status = state?.status
  if (!status?.ephemeral) return null
  const { agent, branches } = conversation
  const parent = status.origin?.branch ?? MAIN_BRANCH
  const act = (work: () => Promise<unknown>) => () =>
    work().then(
      () => setRefusal(undefined),
      (error: unknown) => setRefusal(noteOf(error)),
    )
  const leave = () => open(agent, parent)
  return (
    <section aria-label="Sidecar" className="border-line border-b bg-sunken px-5 py-2 text-sm max-md:px-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto text-muted">On the side of {parent}</p>
        <Button onClick={act(() => branches.merge().then(leave))} disabled={status.state !== "idle"}>
          Merge the answer
        </Button>
        <Button onClick={act(() => branches.keep())}>Keep as a branch</Button>
        <Button onClick={act(() => branches.close().then(leave))}>Close</Button>
        <Button onClick={act(() => conversation.delete().then(leave))}>Delete</Button>
      </div>
      {refusal && <Alert note={refusal} className="mt-2" />}
    </section>
  )
}
