import type { Parlor } from "@parlor/client"
import { type AgentView, MAIN_BRANCH } from "@parlor/protocol"
import { Plus } from "lucide-react"
import { useState } from "react"
import { AgentFace } from "../agent/AgentFace.tsx"
import { addressOf, conversationOf } from "../place/place.ts"
import { go } from "../place/usePlace.ts"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import type { Tab } from "../tab/tabList.ts"

export type AgentEntriesProps = {
  readonly parlor: Parlor
  readonly agents: readonly AgentView[]
  /** The agent in front, known before the list is loaded. */
  readonly current: string
  readonly open: readonly Tab[]
  readonly onChoose?: () => void
}

/** The agents. The first conversation with each is its main branch; after that, every click starts a new one. */
export function AgentEntries({ parlor, agents, current, open, onChoose }: AgentEntriesProps) {
  const [refusal, setRefusal] = useState<Note>()
  const known = agents.length > 0 ? agents : [{ name: current, description: "" }]
  const begin = (agent: string) =>
    parlor
      .conversation(agent)
      .branches.make()
      .then(
        ({ branch }) => {
          setRefusal(undefined)
          go(addressOf(agent, branch))
          onChoose?.()
        },
        (error: unknown) => setRefusal(noteOf(error)),
      )
  return (
    <>
      <ul className="space-y-0.5">
        {known.map(({ name, description }) => (
          <li key={name}>
            {open.some(({ key }) => key === conversationOf({ agent: name, branch: MAIN_BRANCH })) ? (
              <button
                type="button"
                onClick={() => void begin(name)}
                title={description}
                aria-label={`New chat with ${name}`}
                className={ENTRY}
              >
                <AgentFace name={name} small />
                <span className="min-w-0 flex-1 truncate text-left">{name}</span>
                <Plus aria-hidden className="size-4 shrink-0 text-muted" />
              </button>
            ) : (
              <a href={addressOf(name)} onClick={onChoose} title={description} className={ENTRY}>
                <AgentFace name={name} small />
                <span className="min-w-0 flex-1">
                  <span className="block truncate">{name}</span>
                  {description !== "" && (
                    <span className="block truncate font-normal text-muted text-xs">{description}</span>
                  )}
                </span>
              </a>
            )}
          </li>
        ))}
      </ul>
      {refusal && <Alert note={refusal} className="mt-2" />}
    </>
  )
}

const ENTRY =
  "flex w-full items-center gap-2.5 rounded-lg px-2 py-1.5 font-medium text-sm transition-colors hover:bg-line/50 pointer-coarse:py-2.5"
