import { Ellipsis, Share2 } from "lucide-react"
import { lazy, Suspense, useRef, useState } from "react"
import { t } from "../../texts/en/pane.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { download } from "../../ui/download.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { Menu } from "../../ui/Menu.tsx"
import { useMedia } from "../../ui/useMedia.ts"
import { lastSettled, openNewSidecar } from "../branch/side.ts"
import { useShortcut } from "../keyboard/useShortcut.ts"
import { conversationOf, pageAddress } from "../place/place.ts"
import { go } from "../place/usePlace.ts"
import { useSide } from "../sidebar/SideContext.ts"
import { useFeedRow } from "../tab/DeskContext.ts"
import type { Pane } from "./ConversationPane.tsx"
import { headerItems } from "./headerItems.ts"

const GrantsList = lazy(() => import("../ask/GrantsList.tsx").then((m) => ({ default: m.GrantsList })))
const BranchList = lazy(() => import("../branch/BranchList.tsx").then((m) => ({ default: m.BranchList })))
const ShareDialog = lazy(() => import("../share/ShareDialog.tsx").then((m) => ({ default: m.ShareDialog })))

export type HeaderMenuProps = {
  readonly pane: Pane
  /** Reports a rejected action. */
  readonly attempt: (work: Promise<unknown>) => Promise<boolean>
  readonly onRename: () => void
}

/** The menu of the conversation in front. */
export function HeaderMenu({ pane, attempt, onRename }: HeaderMenuProps) {
  const { conversation, state } = pane
  const { agent, branch } = conversation
  const isNarrow = useMedia("(max-width: 47.99rem)")
  const [open, setOpen] = useState<"branches" | "allowed" | "share">()
  const { acts } = useSide()
  const tab = { key: conversationOf(conversation), agent, branch, row: useFeedRow(agent, branch) }
  const trigger = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(undefined)
    requestAnimationFrame(() => trigger.current?.focus())
  }
  const items = headerItems(
    {
      open: (page) => go(pageAddress(page, agent, branch)),
      // The menu returns the focus to its button first; then the composer takes it.
      rename: () => setTimeout(onRename),
      aside: () => void attempt(openNewSidecar(conversation, lastSettled(state?.messages ?? []))),
      branches: () => setOpen("branches"),
      pin: (pinned) => void attempt(conversation.mark({ pinned })),
      archive: (archived) => (archived ? acts.archive([tab]) : void attempt(conversation.mark({ archived }))),
      allowed: () => setOpen("allowed"),
      share: () => setOpen("share"),
      takeOut: () => void attempt(exported(pane)),
      remove: () => acts.remove([tab]),
    },
    { pinned: state?.status?.pinned ?? false, archived: state?.status?.archived ?? false, isNarrow },
  )
  useShortcut("exportChat", () => void attempt(exported(pane)))
  useShortcut("branches", () => setOpen("branches"))
  return (
    <>
      {!isNarrow && (
        <IconButton label={t("share")} onClick={() => setOpen("share")}>
          <Share2 aria-hidden className="size-4" />
        </IconButton>
      )}
      <Menu items={items}>
        <IconButton ref={trigger} label={t("moreActionsForThisConversation")} className="pointer-coarse:size-9">
          <Ellipsis aria-hidden className="size-4" />
        </IconButton>
      </Menu>
      {open === "allowed" && (
        <Dialog title={t("alwaysAllowedTools")} isOpen onClose={close} className="w-[min(30rem,94vw)]">
          <Suspense>
            <GrantsList parlor={pane.parlor} />
          </Suspense>
        </Dialog>
      )}
      {open === "share" && (
        <Suspense>
          <ShareDialog parlor={pane.parlor} conversation={conversation} title={state?.title ?? ""} onClose={close} />
        </Suspense>
      )}
      <Dialog title={t("branches")} isOpen={open === "branches"} onClose={close}>
        <Suspense>
          <BranchList conversation={conversation} state={state} onGo={() => setOpen(undefined)} />
        </Suspense>
      </Dialog>
    </>
  )
}

/** Downloads the whole conversation as JSON Lines. */
async function exported({ conversation }: Pane): Promise<void> {
  const lines: string[] = []
  for await (const line of conversation.export()) lines.push(`${line}\n`)
  download(`${conversation.agent}-${conversation.branch}.jsonl`, new TextEncoder().encode(lines.join("")))
}
