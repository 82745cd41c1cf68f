import { FileText } from "lucide-react"
import { useState } from "react"
import { t } from "../../texts/en/pane.ts"
import { BranchMenu } from "../branch/BranchMenu.tsx"
import { SidecarBar } from "../branch/SidecarBar.tsx"
import { pageAddress } from "../place/place.ts"
import { NewChatButton } from "../sidebar/NewChatButton.tsx"
import { SideButton } from "../sidebar/SideButton.tsx"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { StatusLine } from "../status/StatusLine.tsx"
import { untitled } from "../tab/tabList.ts"
import type { Pane } from "./ConversationPane.tsx"
import { HeaderMenu } from "./HeaderMenu.tsx"
import { Title } from "./Title.tsx"
import { useFrontKeys } from "./useFrontKeys.ts"

/** The header of the conversation in front: title, status and actions. */
export function FrontHeader({ pane }: { readonly pane: Pane }) {
  const { conversation, state, words } = pane
  const { agent, branch } = conversation
  const [isRenaming, setRenaming] = useState(false)
  const [refusal, setRefusal] = useState<Note>()
  // A conversation that nobody has written in yet is not on the server, so there is nothing to act on.
  const isMade = state?.status !== null || state.phase !== "ready"
  const title = state?.title ?? ""
  const attempt = (work: Promise<unknown>) =>
    work.then(
      () => {
        setRefusal(undefined)
        return true
      },
      (error: unknown) => {
        setRefusal(noteOf(error))
        return false
      },
    )
  useFrontKeys(pane, { attempt, onRename: () => setRenaming(true) })
  return (
    <>
      <header className="flex h-13 shrink-0 items-center gap-2 border-line border-b px-4 max-md:px-2">
        <SideButton />
        <Title
          key={`${agent}/${branch}`}
          title={title}
          otherwise={untitled()}
          isEditing={isRenaming}
          onEdit={setRenaming}
          onRename={(next) => attempt(conversation.mark({ title: next }))}
        />
        <p className="shrink-0 text-muted text-xs max-md:hidden">{agent}</p>
        <div className="ml-auto shrink-0 pr-1">
          <StatusLine words={words} />
        </div>
        {isMade && (
          <>
            <FilesLink agent={agent} branch={branch} count={state?.status?.files ?? 0} />
            <BranchMenu key={`branches of ${agent}/${branch}`} conversation={conversation} state={state} />
            <NewChatButton />
            <HeaderMenu
              key={`menu of ${agent}/${branch}`}
              pane={pane}
              attempt={attempt}
              onRename={() => setRenaming(true)}
            />
          </>
        )}
      </header>
      {refusal && <Alert note={refusal} className="mx-4 mt-2" />}
      <SidecarBar key={`sidecar ${agent}/${branch}`} conversation={conversation} state={state} />
    </>
  )
}

type FilesLinkProps = { readonly agent: string; readonly branch: string; readonly count: number }

function FilesLink({ agent, branch, count }: FilesLinkProps) {
  const words = count === 0 ? t("files") : t("filesCount", { count })
  return (
    <a
      href={pageAddress("files", agent, branch)}
      aria-label={words}
      data-tip={words}
      className="inline-flex h-7 shrink-0 items-center gap-1 rounded-md px-1.5 text-muted text-xs hover:bg-line/60 hover:text-ink max-md:hidden"
    >
      <FileText aria-hidden className="size-4" />
      {count > 0 && <span className="tabular-nums">{count}</span>}
    </a>
  )
}
