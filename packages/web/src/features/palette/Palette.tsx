import type { Parlor } from "@parlor/client"
import { type AgentView, type FeedRow, type SlashCommandRow, unreachable } from "@parlor/protocol"
import { Search } from "lucide-react"
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react"
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
  readonly onClose: () => void
}

/** The command palette. Arrows select, Enter runs, Escape closes. */
export default function Palette({ parlor, place, conversations, agents, onClose }: PaletteProps) {
  const { keep } = useOwn()
  const drafts = useOwnPart(ownDrafts)
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useId()
  const [typed, setTyped] = useState("")
  const [chosen, setChosen] = useState(0)
  const recent = useMemo(() => recentIn(keep), [keep])
  const bound = useBound()
  const commands = useCommands(parlor, place)
  const entries = useMemo(
    () => entriesOf({ place, conversations, agents, commands, bound }),
    [place, conversations, agents, commands, bound],
  )
  const shown = useMemo(
    () => [...fitting(entries, typed, recent), ...(typed.trim() === "" ? [] : [searchEntry(typed, place)])],
    [entries, typed, recent, place],
  )
  useEffect(() => dialog.current?.showModal(), [])

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
      aria-label="Find anything"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
      onKeyDown={onKeyDown}
      className="mx-auto mt-[12dvh] mb-auto w-[min(38rem,94vw)] overflow-hidden rounded-2xl border border-line bg-raised p-0 text-ink shadow-float backdrop:bg-black/25"
    >
      <label className="flex items-center gap-3 border-line border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <input
          role="combobox"
          aria-label="Find a conversation, agent, page or action"
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
          placeholder="Search or run a command"
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

/** The slash commands of the conversation in front, once loaded. The palette works without them. */
function useCommands(parlor: Parlor, { page, agent, branch }: Place): readonly SlashCommandRow[] {
  const [commands, setCommands] = useState<readonly SlashCommandRow[]>([])
  useEffect(() => {
    if (page !== "conversation") return
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
  }, [parlor, page, agent, branch])
  return commands
}
