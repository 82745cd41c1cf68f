import { limits, plainWords } from "@parlor/protocol"
import { Ellipsis, Pin } from "lucide-react"
import { type KeyboardEvent, useEffect, useRef, useState } from "react"
import { cx } from "../../ui/cx.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { Menu } from "../../ui/Menu.tsx"
import { AgentFace } from "../agent/AgentFace.tsx"
import { addressOf } from "../place/place.ts"
import { INTENT_MS } from "../tab/budgets.ts"
import { capsulesOf } from "../tab/capsules.ts"
import type { TabState } from "../tab/residency.ts"
import { isPinned, type Tab, titleOf } from "../tab/tabList.ts"
import { agoWords, tabLabel } from "../tab/tabWords.ts"
import type { Tabs } from "../tab/useTabs.ts"
import { Capsules } from "./Capsules.tsx"
import { type TabPlace, tabItems } from "./tabItems.ts"
import type { Reorder } from "./useReorder.ts"

export type TabItemProps = {
  readonly tab: Tab
  readonly isFront: boolean
  readonly state: TabState
  readonly now: number
  /** Its position; undefined for archived tabs. */
  readonly at: TabPlace | undefined
  readonly acts: Pick<Tabs, "mark" | "move" | "close">
  /** Whether the Tab key stops here. */
  readonly isStop: boolean
  readonly grip?: ReturnType<Reorder["grip"]> | undefined
  readonly isDragged?: boolean
  readonly onFocus?: () => void
  readonly onIntent: (tab: Tab) => void
  readonly onChoose?: (() => void) | undefined
}

/** One tab: agent, title, last message and state. */
export function TabItem(props: TabItemProps) {
  const { tab, isFront, state, now, at, acts, isStop, grip, isDragged, onFocus, onChoose } = props
  const [isRenaming, setRenaming] = useState(false)
  const link = useRef<HTMLAnchorElement>(null)
  const intent = useIntent(() => props.onIntent(tab))
  const capsules = tab.row === undefined ? [] : capsulesOf(tab.row, isFront)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "F2" && tab.row !== undefined) setRenaming(true)
    else if (event.key === "Delete" && at !== undefined) {
      neighborOf(event.currentTarget)?.focus()
      acts.close(tab)
    } else if (event.altKey && event.key === "ArrowUp" && at !== undefined) acts.move(tab, at.index - 1)
    else if (event.altKey && event.key === "ArrowDown" && at !== undefined) acts.move(tab, at.index + 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const rename = (title: string | undefined) => {
    setRenaming(false)
    requestAnimationFrame(() => link.current?.focus())
    if (title !== undefined && title !== tab.row?.title) acts.mark(tab, { title })
  }
  if (isRenaming)
    return (
      <li>
        <TitleInput title={tab.row?.title ?? ""} onDone={rename} />
      </li>
    )
  return (
    <li
      data-tab={tab.key}
      data-state={state}
      className={cx("group relative rounded-lg", isDragged === true && "z-10 bg-raised opacity-80 shadow-float")}
    >
      <a
        ref={link}
        href={addressOf(tab.agent, tab.branch)}
        draggable={false}
        tabIndex={isStop ? 0 : -1}
        aria-current={isFront ? "page" : undefined}
        aria-label={tabLabel(tab, capsules)}
        title={titleOf(tab)}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete F2"
        onClick={onChoose}
        onAuxClick={(event) => {
          if (event.button !== 1 || at === undefined) return
          event.preventDefault()
          acts.close(tab)
        }}
        onKeyDown={onKeyDown}
        onFocus={() => {
          onFocus?.()
          intent.begin()
        }}
        onBlur={intent.end}
        onPointerEnter={intent.begin}
        onPointerLeave={intent.end}
        {...grip}
        className={cx(
          "flex select-none items-start gap-2.5 rounded-lg px-2 py-1.5 transition-colors hover:bg-line/50",
          "pointer-coarse:py-2.5",
          isFront && "bg-line/60",
        )}
      >
        <span className="mt-0.5">
          <AgentFace name={tab.agent} small />
        </span>
        <TabText tab={tab} now={now} capsules={capsules} />
      </a>
      <Menu items={tabItems(tab, at, acts, () => setTimeout(() => setRenaming(true)))} align="start">
        <IconButton
          label={`More actions for ${titleOf(tab)}`}
          tabIndex={isStop ? 0 : -1}
          className={cx(
            "absolute top-1 right-1 bg-side opacity-0 focus-visible:opacity-100 group-hover:opacity-100",
            "data-[state=open]:opacity-100 pointer-coarse:bg-transparent pointer-coarse:opacity-100",
          )}
        >
          <Ellipsis aria-hidden className="size-4" />
        </IconButton>
      </Menu>
    </li>
  )
}

type TabTextProps = {
  readonly tab: Tab
  readonly now: number
  readonly capsules: ReturnType<typeof capsulesOf>
}

function TabText({ tab, now, capsules }: TabTextProps) {
  const { row } = tab
  const isUnread = capsules.some(({ kind }) => kind === "done" || kind === "unread")
  return (
    <span className="min-w-0 flex-1 leading-5">
      <span className="flex items-center gap-1.5">
        <span className={cx("min-w-0 flex-1 truncate text-sm", isUnread ? "font-semibold" : "font-medium")}>
          {titleOf(tab)}
        </span>
        {isPinned(tab) && <Pin aria-hidden className="size-3 shrink-0 text-muted" />}
        {row && (
          <time
            className="shrink-0 text-muted text-xs pointer-coarse:pr-8"
            dateTime={new Date(row.activityAt).toISOString()}
          >
            {agoWords(row.activityAt, now)}
          </time>
        )}
      </span>
      <span className="flex h-5 items-center gap-1.5">
        <span className="min-w-0 flex-1 truncate text-muted text-xs">
          {plainWords(row?.preview ?? "") || "No messages yet"}
        </span>
        <Capsules capsules={capsules} />
      </span>
    </span>
  )
}

type TitleInputProps = { readonly title: string; readonly onDone: (title: string | undefined) => void }

function TitleInput({ title, onDone }: TitleInputProps) {
  const [text, setText] = useState(title)
  const box = useRef<HTMLInputElement>(null)
  const isOver = useRef(false)
  useEffect(() => box.current?.select(), [])
  const end = (next: string | undefined) => {
    if (isOver.current) return
    isOver.current = true
    onDone(next)
  }
  return (
    <input
      ref={box}
      aria-label="Title"
      value={text}
      maxLength={limits.titleLength}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => end(text.trim())}
      onKeyDown={(event) => {
        if (event.key === "Enter") end(text.trim())
        if (event.key === "Escape") end(undefined)
      }}
      className="my-1 w-full rounded-lg border border-line-strong bg-raised px-2 py-1.5 text-sm outline-none focus:border-accent"
    />
  )
}

/** Where the focus goes after this tab is closed. */
function neighborOf(link: HTMLElement): HTMLElement | null | undefined {
  const item = link.closest("li")
  return (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector<HTMLElement>("a[href]")
}

/** Resting on a tab signals that it is about to be opened. */
function useIntent(run: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    begin: () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(run, INTENT_MS)
    },
    end: () => clearTimeout(timer.current),
  }
}
