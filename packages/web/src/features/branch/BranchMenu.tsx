import type { Conversation, LiveState } from "@parlor/client"
import { GitBranch } from "lucide-react"
import { useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { addressOf } from "../place/place.ts"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"

export type BranchMenuProps = {
  readonly conversation: Conversation
  readonly state: Pick<LiveState, "branches" | "status"> | undefined
}

/** What hangs on the conversation in front, and what it hangs on itself (BRA-4). */
export function BranchMenu({ conversation, state }: BranchMenuProps) {
  const [refusal, setRefusal] = useState<Note>()
  const { agent } = conversation
  const branches = state?.branches ?? []
  const parent = state?.status?.origin?.branch
  const begin = () =>
    conversation.branches.make().then(
      (place) => open(agent, place.branch),
      (error: unknown) => setRefusal(noteOf(error)),
    )
  return (
    <>
      <Button popoverTarget="branches" aria-haspopup="dialog">
        <GitBranch aria-hidden className="size-3.5" /> <span className="max-md:sr-only">Branches</span>
        {branches.length > 0 && ` ${branches.length}`}
      </Button>
      <section
        id="branches"
        popover="auto"
        aria-label="Branches"
        className="inset-auto top-13 right-2 w-80 max-w-[calc(100vw-1rem)] rounded-xl border border-line bg-raised p-3 text-ink shadow-float"
      >
        {parent !== undefined && (
          <p className="mb-2 text-sm">
            A branch of <BranchLink agent={agent} branch={parent} />
          </p>
        )}
        {branches.length === 0 && <p className="text-muted text-sm">Nothing hangs on this conversation yet.</p>}
        <ul className="space-y-1">
          {branches.map(({ branch, ephemeral }) => (
            <li key={branch} className="flex items-baseline gap-2 text-sm">
              <BranchLink agent={agent} branch={branch} />
              <span className="ml-auto shrink-0 text-muted text-xs">{ephemeral ? "sidecar" : "branch"}</span>
            </li>
          ))}
        </ul>
        <p className="mt-3">
          <Button onClick={begin}>New topic</Button>
        </p>
        {refusal && <Alert note={refusal} className="mt-2" />}
      </section>
    </>
  )
}

export function open(agent: string, branch: string): void {
  document.getElementById("branches")?.hidePopover()
  window.location.hash = addressOf(agent, branch)
}

function BranchLink({ agent, branch }: { readonly agent: string; readonly branch: string }) {
  return (
    <a
      href={addressOf(agent, branch)}
      onClick={() => document.getElementById("branches")?.hidePopover()}
      className="min-w-0 truncate text-accent underline-offset-2 hover:underline"
    >
      {branch}
    </a>
  )
}
