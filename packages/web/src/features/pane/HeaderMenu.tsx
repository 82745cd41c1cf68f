import { Ellipsis } from "lucide-react"
import { useRef, useState } from "react"
import { Dialog } from "../../ui/Dialog.tsx"
import { download } from "../../ui/download.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { Menu } from "../../ui/Menu.tsx"
import { useMedia } from "../../ui/useMedia.ts"
import { BranchList } from "../branch/BranchList.tsx"
import { DeleteDialog } from "../branch/DeleteDialog.tsx"
import { lastSettled, openNewSidecar } from "../branch/side.ts"
import { pageAddress } from "../place/place.ts"
import { go } from "../place/usePlace.ts"
import type { Pane } from "./ConversationPane.tsx"
import { headerItems } from "./headerItems.ts"

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
  const [open, setOpen] = useState<"branches" | "delete">()
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
      archive: (archived) => void attempt(conversation.mark({ archived })),
      takeOut: () => void attempt(exported(pane)),
      remove: () => setOpen("delete"),
    },
    { pinned: state?.status?.pinned ?? false, archived: state?.status?.archived ?? false, isNarrow },
  )
  return (
    <>
      <Menu items={items}>
        <IconButton ref={trigger} label="More actions for this conversation" className="pointer-coarse:size-9">
          <Ellipsis aria-hidden className="size-4" />
        </IconButton>
      </Menu>
      <Dialog title="Branches" isOpen={open === "branches"} onClose={close}>
        <BranchList conversation={conversation} state={state} onGo={() => setOpen(undefined)} />
      </Dialog>
      {open === "delete" && (
        <DeleteDialog parlor={pane.parlor} conversation={conversation} state={state} onClose={close} />
      )}
    </>
  )
}

/** Downloads the whole conversation as JSON Lines. */
async function exported({ conversation }: Pane): Promise<void> {
  const lines: string[] = []
  for await (const line of conversation.export()) lines.push(`${line}\n`)
  download(`${conversation.agent}-${conversation.branch}.jsonl`, new TextEncoder().encode(lines.join("")))
}
