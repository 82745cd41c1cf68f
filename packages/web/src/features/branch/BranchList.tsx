import type { Conversation, LiveState } from "@parlor/client"
import { type BranchView, plainWords } from "@parlor/protocol"
import { CornerLeftUp, MessageCircleQuestion, Plus } from "lucide-react"
import { useEffect, useState } from "react"
import { t } from "../../texts/en/branch.ts"
import { t as common } from "../../texts/en/common.ts"
import { Button } from "../../ui/Button.tsx"
import { addressOf, newChatBranch } from "../place/place.ts"
import { go } from "../place/usePlace.ts"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { useFeedRow } from "../tab/DeskContext.ts"
import { calledOf as parentCalled } from "../tab/tabList.ts"
import { calledOf, groupBranches } from "./branchView.ts"
import { lastSettled, openNewSidecar, openSide } from "./side.ts"

export type BranchListProps = {
  readonly conversation: Conversation
  readonly state: Pick<LiveState, "branches" | "status" | "messages"> | undefined
  /** Called when one of them was opened. */
  readonly onGo: () => void
}

/** Lists branches and sidecars, with buttons to create one. */
export function BranchList({ conversation, state, onGo }: BranchListProps) {
  const { agent, branch } = conversation
  const { found, refusal, attempt } = useHanging(conversation, state?.branches)
  const parent = state?.status?.origin?.branch
  const parentRow = useFeedRow(agent, parent ?? "")
  const { branches, sidecars } = groupBranches(found ?? [])
  const begin = () => {
    onGo()
    go(addressOf(agent, newChatBranch()))
  }
  const aside = () => attempt(openNewSidecar(conversation, lastSettled(state?.messages ?? [])).then(onGo))
  return (
    <div className="space-y-3 text-sm">
      {parent !== undefined && (
        <a href={addressOf(agent, parent)} onClick={onGo} className="flex items-center gap-2 text-muted hover:text-ink">
          <CornerLeftUp aria-hidden className="size-3.5" /> {t("branchOf", { title: parentCalled(parentRow) })}
        </a>
      )}
      {found === undefined && refusal === undefined && <p className="animate-late text-muted">{common("loading")}</p>}
      {found?.length === 0 && <p className="text-muted">{t("noBranchesYetHoverOver")}</p>}
      <Group title={t("branches")} rows={branches}>
        {(row) => (
          <a href={addressOf(agent, row.branch)} onClick={onGo} className={LINE}>
            <Row row={row} />
          </a>
        )}
      </Group>
      <Group title={t("sideChats")} rows={sidecars}>
        {(row) => (
          <button
            type="button"
            onClick={() => {
              onGo()
              openSide(agent, branch, row.branch)
            }}
            className={LINE}
          >
            <Row row={row} />
          </button>
        )}
      </Group>
      <p className="flex gap-2">
        <Button onClick={aside}>
          <MessageCircleQuestion aria-hidden className="size-3.5" /> {t("newSideChat")}
        </Button>
        <Button onClick={begin}>
          <Plus aria-hidden className="size-3.5" /> {t("newChat")}
        </Button>
      </p>
      {refusal && <Alert note={refusal} />}
    </div>
  )
}

const LINE = "block w-full rounded-lg px-2 py-1 text-left hover:bg-line/50 pointer-coarse:py-2.5"

type GroupProps = {
  readonly title: string
  readonly rows: readonly BranchView[]
  readonly children: (row: BranchView) => React.ReactNode
}

function Group({ title, rows, children }: GroupProps) {
  if (rows.length === 0) return null
  return (
    <section aria-label={title}>
      <h2 className="px-2 text-muted text-xs">{title}</h2>
      <ul className="mt-0.5 max-h-64 overflow-y-auto">
        {rows.map((row) => (
          <li key={row.branch}>{children(row)}</li>
        ))}
      </ul>
    </section>
  )
}

function Row({ row }: { readonly row: BranchView }) {
  return (
    <>
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 truncate">{calledOf(row)}</span>
        {row.state !== "idle" && <span className="ml-auto shrink-0 text-accent text-xs">{row.state}</span>}
      </span>
      {row.preview !== "" && <span className="block truncate text-muted text-xs">{plainWords(row.preview)}</span>}
    </>
  )
}

/** Loaded when shown, and again when a branch is created or deleted. */
function useHanging(conversation: Conversation, rows: LiveState["branches"] | undefined) {
  const [found, setFound] = useState<readonly BranchView[]>()
  const [refusal, setRefusal] = useState<Note>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: changed rows trigger the reload.
  useEffect(() => {
    let isLeft = false
    conversation.branches.list().then(
      (list) => isLeft || setFound(list),
      (error: unknown) => isLeft || setRefusal(noteOf(error)),
    )
    return () => {
      isLeft = true
    }
  }, [conversation, rows])
  const attempt = (work: Promise<unknown>) => {
    work.then(
      () => setRefusal(undefined),
      (error: unknown) => setRefusal(noteOf(error)),
    )
  }
  return { found, refusal, attempt }
}
