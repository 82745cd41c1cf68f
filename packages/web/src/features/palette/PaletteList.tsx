import { type LucideIcon, MessageSquareText, Search, SlashSquare, UserRound, Zap } from "lucide-react"
import { useEffect, useRef } from "react"
import { t } from "../../texts/en/palette.ts"
import { cx } from "../../ui/cx.ts"
import { Kbd } from "../../ui/Kbd.tsx"
import { keysFor } from "../keyboard/useShortcut.ts"
import type { Entry } from "./entries.ts"

const headings = {
  Recent: "recentHeading",
  Conversations: "conversationsHeading",
  Archived: "archivedHeading",
  Agents: "agentsHeading",
  Commands: "commandsHeading",
  Actions: "actionsHeading",
  Search: "searchHeading",
} as const

export type PaletteListProps = {
  readonly id: string
  readonly entries: readonly Entry[]
  readonly chosen: number
  readonly onPoint: (index: number) => void
  readonly onChoose: (entry: Entry) => void
}

/** The matching entries. The focus stays in the input, which announces the selected one. */
export function PaletteList({ id, entries, chosen, onPoint, onChoose }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: "nearest" })
  }, [chosen])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={t("results")}
      tabIndex={-1}
      className="max-h-[min(26rem,60dvh)] overflow-y-auto p-1.5"
    >
      {entries.map((entry, index) => (
        <Row
          key={entry.id}
          id={`${id}-${index}`}
          entry={entry}
          heading={entry.kind === entries[index - 1]?.kind ? undefined : t(headings[entry.kind])}
          isChosen={index === chosen}
          onPoint={() => index !== chosen && onPoint(index)}
          onChoose={() => onChoose(entry)}
        />
      ))}
    </div>
  )
}

type RowProps = {
  readonly id: string
  readonly entry: Entry
  readonly heading: string | undefined
  readonly isChosen: boolean
  readonly onPoint: () => void
  readonly onChoose: () => void
}

function Row({ id, entry, heading, isChosen, onPoint, onChoose }: RowProps) {
  const Icon = iconOf(entry)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the focus and its keys choose
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      onPointerMove={onPoint}
      onClick={onChoose}
      className={cx(
        "flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-2.5 py-1.5 text-sm pointer-coarse:py-3",
        isChosen && "bg-line/60",
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate">
        {entry.words}
        {entry.about !== "" && <span className="ml-2 text-muted text-xs">{entry.about}</span>}
      </span>
      {entry.shortcut !== undefined && keysFor(entry.shortcut) !== "" && (
        <span className="pointer-coarse:hidden">
          <Kbd>{keysFor(entry.shortcut)}</Kbd>
        </span>
      )}
      {heading !== undefined && <span className="shrink-0 text-muted text-xs">{heading}</span>}
    </div>
  )
}

function iconOf({ kind, deed, id }: Entry): LucideIcon {
  if (kind === "Search") return Search
  if (deed.kind === "insert") return SlashSquare
  if (deed.kind === "run") return Zap
  return id.startsWith("agent ") ? UserRound : MessageSquareText
}
