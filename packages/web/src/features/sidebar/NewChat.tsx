import type { AgentView, FeedRow } from "@parlor/protocol"
import { MAIN_BRANCH } from "@parlor/protocol"
import { ChevronDown, SquarePen } from "lucide-react"
import { t } from "../../texts/en/sidebar.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { Menu } from "../../ui/Menu.tsx"
import { ariaKeysFor, keysFor } from "../keyboard/useShortcut.ts"
import { addressOf, newChatBranch } from "../place/place.ts"
import { go } from "../place/usePlace.ts"

export type NewChatProps = {
  /** The default agent first. */
  readonly agents: readonly AgentView[]
  readonly rows: readonly FeedRow[]
  readonly onChoose?: (() => void) | undefined
}

/** Starts a conversation with the default agent, or with another one from its menu. */
export function NewChat({ agents, rows, onChoose }: NewChatProps) {
  const begin = (agent: string) => {
    go(newChatAddress(agent, rows))
    onChoose?.()
  }
  const [first] = agents
  return (
    <div className="flex items-center gap-1">
      <button
        type="button"
        disabled={first === undefined}
        onClick={() => first && begin(first.name)}
        aria-keyshortcuts={ariaKeysFor("newChat")}
        data-tip-keys={keysFor("newChat")}
        className="flex min-w-0 flex-1 items-center gap-2.5 rounded-lg px-2 py-1.5 font-medium text-sm transition-colors hover:bg-line/50 pointer-coarse:min-h-10"
      >
        <span className="inline-flex size-5 shrink-0 items-center justify-center">
          <SquarePen aria-hidden className="size-4.5 text-accent" />
        </span>
        {t("newChat")}
      </button>
      {agents.length > 1 && (
        <Menu
          align="end"
          items={agents.map(({ name, description }) => ({
            label: name,
            about: description,
            onChoose: () => begin(name),
          }))}
        >
          <IconButton label={t("newChatWithAnotherAgent")}>
            <ChevronDown aria-hidden className="size-4" />
          </IconButton>
        </Menu>
      )}
    </div>
  )
}

/** The first conversation with an agent is its main one, where every other client finds it. */
export function newChatAddress(agent: string, rows: readonly Pick<FeedRow, "agent" | "branch">[]): string {
  const hasMain = rows.some((row) => row.agent === agent && row.branch === MAIN_BRANCH)
  return addressOf(agent, hasMain ? newChatBranch() : MAIN_BRANCH)
}
