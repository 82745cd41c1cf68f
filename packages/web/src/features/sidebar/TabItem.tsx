import { limits } from "@parlor/protocol"
import { Ellipsis } from "lucide-react"
import { type KeyboardEvent, useEffect, useRef, useState } from "react"
import { t } from "../../texts/en/sidebar.ts"
import { cx } from "../../ui/cx.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { Menu } from "../../ui/Menu.tsx"
import { AgentFace } from "../agent/AgentFace.tsx"
import { addressOf } from "../place/place.ts"
import { INTENT_MS } from "../tab/budgets.ts"
import { capsulesOf } from "../tab/capsules.ts"
import type { TabState } from "../tab/residency.ts"
import { type Tab, titleOf } from "../tab/tabList.ts"
import { tabNotes } from "../tab/tabWords.ts"
import { Capsules } from "./Capsules.tsx"
import { type TabActs, tabItems } from "./tabItems.ts"

export type TabItemProps = {
  readonly tab: Tab
  readonly isFront: boolean
  readonly state: TabState
  readonly defaultAgent: string
  readonly acts: Omit<TabActs, "rename">
  /** Whether the Tab key stops here. */
  readonly isStop: boolean
  readonly onFocus?: () => void
  readonly onIntent: (tab: Tab) => void
  readonly onChoose?: (() => void) | undefined
}

/** One conversation in the list: its title, and what it needs. */
export function TabItem(props: TabItemProps) {
  const { tab, isFront, state, defaultAgent, isStop, onFocus, onChoose } = props
  const [isRenaming, setRenaming] = useState(false)
  const link = useRef<HTMLAnchorElement>(null)
  const intent = useIntent(() => props.onIntent(tab))
  const capsules = tab.row === undefined ? [] : capsulesOf(tab.row, isFront)
  const isUnread = capsules.some(({ kind }) => kind === "done" || kind === "unread")
  const movedAt = tab.row?.activityAt
  // biome-ignore lint/correctness/useExhaustiveDependencies: activity moves it within the list.
  useEffect(() => {
    if (isFront) link.current?.scrollIntoView({ block: "nearest" })
  }, [isFront, movedAt])
  const acts: TabActs = { ...props.acts, rename: () => setTimeout(() => setRenaming(true)) }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (tab.row === undefined) return
    if (event.key === "F2") setRenaming(true)
    else if (event.key === "Delete") {
      neighborOf(event.currentTarget)?.focus()
      acts.remove([tab])
    } else return
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
  const items = tabItems(tab, acts)
  const notes = tabNotes(tab, capsules, defaultAgent)
  return (
    <li data-tab={tab.key} data-state={state} className="group relative rounded-lg">
      <a
        ref={link}
        href={addressOf(tab.agent, tab.branch)}
        draggable={false}
        tabIndex={isStop ? 0 : -1}
        aria-current={isFront ? "page" : undefined}
        title={titleOf(tab)}
        aria-keyshortcuts="Delete F2"
        onClick={onChoose}
        onKeyDown={onKeyDown}
        onFocus={() => {
          onFocus?.()
          intent.begin()
        }}
        onBlur={intent.end}
        onPointerEnter={intent.begin}
        onPointerLeave={intent.end}
        className={cx(
          "flex h-9 select-none items-center gap-2 rounded-lg px-2 transition-colors hover:bg-line/50",
          "pointer-coarse:h-11 pointer-coarse:pr-11",
          items.length > 0 && "group-focus-within:pr-9 group-hover:pr-9",
          isFront && "bg-line/60",
        )}
      >
        {tab.agent !== defaultAgent && <AgentFace name={tab.agent} small />}
        <span className={cx("min-w-0 flex-1 truncate text-sm", isUnread && "font-semibold")}>{titleOf(tab)}</span>
        {tab.row === undefined && (
          <span aria-hidden className="shrink-0 text-muted text-xs">
            {t("draft")}
          </span>
        )}
        <Capsules capsules={capsules} />
        {notes.length > 0 && <span className="sr-only">, {notes.join(", ")}</span>}
      </a>
      {items.length > 0 && (
        <Menu items={items} align="start">
          <IconButton
            label={t("moreActionsForTitle", { title: titleOf(tab) })}
            tabIndex={isStop ? 0 : -1}
            className={cx(
              "absolute top-1 right-1 opacity-0 focus-visible:opacity-100 group-hover:opacity-100",
              "data-[state=open]:opacity-100 pointer-coarse:top-0.5 pointer-coarse:right-0 pointer-coarse:opacity-100",
            )}
          >
            <Ellipsis aria-hidden className="size-4" />
          </IconButton>
        </Menu>
      )}
    </li>
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
      aria-label={t("title")}
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

/** Where the focus goes after this one is deleted. */
function neighborOf(link: HTMLElement): HTMLElement | undefined {
  const links = [...(link.closest("[data-tabs]")?.querySelectorAll<HTMLElement>("a[href]") ?? [])]
  const index = links.indexOf(link)
  return links[index + 1] ?? links[index - 1]
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
