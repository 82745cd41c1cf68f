import type { Conversation, LiveState } from "@parlor/client"
import { GitBranch } from "lucide-react"
import { lazy, Suspense, useState } from "react"
import { t } from "../../texts/en/branch.ts"
import { Popover } from "../../ui/Popover.tsx"

const BranchList = lazy(() => import("./BranchList.tsx").then((m) => ({ default: m.BranchList })))

export type BranchMenuProps = {
  readonly conversation: Conversation
  readonly state: Pick<LiveState, "branches" | "status" | "messages"> | undefined
}

/** The branches of the conversation in front, and its parent (BRA-4). */
export function BranchMenu({ conversation, state }: BranchMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const count = state?.branches.length ?? 0
  const words = count === 0 ? t("branches") : t("branchesCount", { count })
  return (
    <Popover
      label={t("branches")}
      isOpen={isOpen}
      onOpenChange={setOpen}
      className="w-80"
      trigger={
        <button
          type="button"
          aria-label={words}
          data-tip={words}
          className="inline-flex h-7 shrink-0 items-center gap-1 rounded-md px-1.5 text-muted text-xs hover:bg-line/60 hover:text-ink max-md:hidden"
        >
          <GitBranch aria-hidden className="size-4" />
          {count > 0 && <span className="tabular-nums">{count}</span>}
        </button>
      }
    >
      <Suspense>
        <BranchList conversation={conversation} state={state} onGo={() => setOpen(false)} />
      </Suspense>
    </Popover>
  )
}
