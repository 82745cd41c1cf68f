import type { Parlor } from "@parlor/client"
import { type AgentView, type FeedRow, type SlashCommandRow, unreachable } from "@parlor/protocol"
import { Search } from "lucide-react"
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "react"
import { t } from "../../texts/en/palette.ts"
import type { Drafts } from "../draft/draft.ts"
import { ownDrafts } from "../draft/draft.ts"
import { useOwn, useOwnPart } from "../keep/OwnContext.ts"
import { registry, useBound } from "../keyboard/useShortcut.ts"
import { conversationOf, type Place } from "../place/place.ts"
import { go } from "../place/usePlace.ts"
import { type Entry, entriesOf, fitting, searchEntry } from "./entries.ts"
import { PaletteList } from "./PaletteList.tsx"
import { keepRecent, recentIn } from "./recent.ts"

export type PaletteProps = {
  readonly parlor: Parlor
  readonly place: Place
  readonly conversations: readonly FeedRow[]
  readonly agents: readonly AgentView[]
  /** What was typed while it was loading. */
  readonly typed?: string
  readonly onClose: () => void
}

/** The command palette. Arrows select, Enter runs, Escape closes. */
export default function Palette({ parlor, place, conversations, agents, typed: first = "", onClose }: PaletteProps) {
  const { keep } = useOwn()
  const drafts = useOwnPart(ownDrafts)
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useId()
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(first)
  const [chosen, setChosen] = useState(0)
  const recent = useMemo(() => recentIn(keep), [keep])
  const bound = useBound()
  const commands = useCommands(parlor, place, conversations, agents)
  const entries = useMemo(
    () => entriesOf({ place, conversations, agents, commands, bound }),
    [place, conversations, agents, commands, bound],
  )
  const shown = useMemo(
    () => [...fitting(entries, typed, recent), ...(typed.trim() === "" ? [] : [searchEntry(typed, place)])],
    [entries, typed, recent, place],
  )
  // Before the next key is handled: typing must not be interrupted when it replaces its placeholder.
  useLayoutEffect(() => {
    dialog.current?.showModal()
    box.current?.setSelectionRange(first.length, first.length)
  }, [first])

  const act = (entry: Entry) => {
    keepRecent(entry.id, keep)
    // Restore the focus first; the action may move it.
    dialog.current?.close()
    perform(entry, place, drafts)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const way = WAYS[event.key]
    if (way !== undefined) {
      event.preventDefault()
      setChosen((now) => (now + way + shown.length) % shown.length)
    }
    if (event.key !== "Enter") return
    event.preventDefault()
    const entry = shown[chosen]
    if (entry !== undefined) act(entry)
  }
  return (
    <dialog
      ref={dialog}
      aria-label={t("findAnything")}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
      onKeyDown={onKeyDown}
      className="mx-auto mt-[12dvh] mb-auto w-[min(38rem,94vw)] overflow-hidden rounded-2xl border border-line bg-raised p-0 text-ink shadow-float backdrop:bg-black/25"
    >
      <label className="flex items-center gap-3 border-line border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <input
          ref={box}
          role="combobox"
          aria-label={t("findAConversationAgentPage")}
          aria-expanded="true"
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={shown[chosen] === undefined ? undefined : `${list}-${chosen}`}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setChosen(0)
          }}
          placeholder={t("searchOrRunACommand")}
          className="min-w-0 flex-1 bg-transparent py-3.5 outline-none placeholder:text-muted"
        />
      </label>
      <PaletteList id={list} entries={shown} chosen={chosen} onPoint={setChosen} onChoose={act} />
    </dialog>
  )
}

const WAYS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

function perform({ deed }: Entry, place: Place, drafts: Drafts): void {
  switch (deed.kind) {
    case "go":
      go(deed.address)
      break
    case "run":
      registry.run(deed.shortcut)
      break
    case "insert":
      drafts.give(conversationOf(place), deed.text)
      registry.run("write")
      break
    default:
      unreachable(deed)
  }
}

/** The slash commands of the conversation in front, once loaded; those of the agent before it exists. */
function useCommands(
  parlor: Parlor,
  { page, agent, branch }: Place,
  conversations: readonly FeedRow[],
  agents: readonly AgentView[],
): readonly SlashCommandRow[] {
  const [commands, setCommands] = useState<readonly SlashCommandRow[]>()
  const isMade = conversations.some((row) => row.agent === agent && row.branch === branch)
  useEffect(() => {
    if (page !== "conversation" || !isMade) return
    let left = false
    parlor
      .conversation(agent, branch)
      .open({ messages: 1 })
      .then(
        (snapshot) => !left && setCommands(snapshot.slashCommands),
        () => undefined,
      )
    return () => {
      left = true
    }
  }, [parlor, page, agent, branch, isMade])
  if (page !== "conversation") return NO_COMMANDS
  return commands ?? agents.find(({ name }) => name === agent)?.slashCommands ?? NO_COMMANDS
}

const NO_COMMANDS: readonly SlashCommandRow[] = []
