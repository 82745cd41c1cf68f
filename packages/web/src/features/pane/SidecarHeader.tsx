import { MAIN_BRANCH, plainWords } from "@parlor/protocol"
import { Ellipsis, GitBranch, Maximize2, Merge, Quote, Trash2, X } from "lucide-react"
import { useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/pane.ts"
import { Button } from "../../ui/Button.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import { Menu } from "../../ui/Menu.tsx"
import type { MenuItem } from "../../ui/menuItem.ts"
import { originExcerpt } from "../branch/branchView.ts"
import { leaveSide } from "../branch/side.ts"
import { isGone, sidecarActs } from "../branch/sidecarActs.ts"
import { addressOf } from "../place/place.ts"
import { go } from "../place/usePlace.ts"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { StatusLine } from "../status/StatusLine.tsx"
import { useFeedRow } from "../tab/DeskContext.ts"
import { calledOf } from "../tab/tabList.ts"
import type { Pane } from "./ConversationPane.tsx"

export type SidecarHeaderProps = {
  readonly pane: Pick<Pane, "conversation" | "state" | "words">
  /** The branch in front. */
  readonly front: string
}

/** The header of the side pane: the message it starts from, and its actions (BRA-4). */
export function SidecarHeader({ pane, front }: SidecarHeaderProps) {
  const { conversation, state, words } = pane
  const { agent, branch } = conversation
  const [refusal, setRefusal] = useState<Note>()
  const leave = () => leaveSide(agent, front)
  const acts = sidecarActs(conversation, leave)
  const act = (work: () => Promise<unknown>) => () => {
    work().then(
      () => setRefusal(undefined),
      (error: unknown) => setRefusal(noteOf(error)),
    )
  }
  const close = act(() =>
    acts.close().catch((error: unknown) => (isGone(noteOf(error).code) ? leave() : Promise.reject(error))),
  )
  const status = state?.status
  const parent = status?.origin?.branch ?? MAIN_BRANCH
  const called = calledOf(useFeedRow(agent, parent))
  const excerpt = originExcerpt(status?.origin, state?.messages ?? [])
  const isSidecar = status?.ephemeral ?? true
  const more: readonly MenuItem[] = [
    ...(isSidecar ? [{ label: t("keepAsBranch"), icon: GitBranch, onChoose: act(acts.keep) }] : []),
    { label: t("openInMainView"), icon: Maximize2, onChoose: () => go(addressOf(agent, branch)) },
    "line",
    { label: common("delete"), icon: Trash2, bad: true, onChoose: act(acts.remove) },
  ]
  return (
    <>
      <header className="flex h-13 shrink-0 items-center gap-2 border-line border-b px-4 max-md:px-3">
        <h2 className="min-w-0 truncate font-semibold">{isSidecar ? t("sideChat") : branch}</h2>
        <div className="ml-auto min-w-0 pr-1">
          <StatusLine words={words} />
        </div>
        {isSidecar && (
          <Button onClick={act(acts.merge)} disabled={status?.state !== "idle"} title={t("quoteItsLastAnswerIn")}>
            <Merge aria-hidden className="size-3.5" /> {t("merge")}
          </Button>
        )}
        <Menu items={more}>
          <IconButton label={t("moreActionsForThisSide")} className="pointer-coarse:size-9">
            <Ellipsis aria-hidden className="size-4" />
          </IconButton>
        </Menu>
        <IconButton label={t("closeSideChat")} onClick={isSidecar ? close : leave} className="pointer-coarse:size-9">
          <X aria-hidden className="size-4" />
        </IconButton>
      </header>
      {isSidecar && (
        <p className="flex shrink-0 items-start gap-2 border-line border-b bg-sunken px-4 py-2 text-muted text-sm max-md:px-3">
          <Quote aria-hidden className="mt-1 size-3.5 shrink-0" />
          <span className="line-clamp-2 min-w-0 break-words">
            {t("sideChatOf", { title: called })}
            {excerpt !== "" && (
              <>
                {": "}
                <a
                  href={addressOf(agent, parent, { message: status?.origin?.message ?? undefined, side: branch })}
                  title={t("showInConversation")}
                  className="hover:text-ink"
                >
                  {plainWords(excerpt)}
                </a>
              </>
            )}
          </span>
        </p>
      )}
      {refusal && <Alert note={refusal} className="mx-4 mt-2" />}
    </>
  )
}
