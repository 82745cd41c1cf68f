/** The live views of a client: one for each address, one for the feed, and the list of agents. */
import {
  type Conversation,
  type LiveConversation,
  type LiveFeed,
  type LiveFeedState,
  type LiveOptions,
  type LiveState,
  loadingState,
  type Parlor,
} from "@parlor/client"
import type { AgentView } from "@parlor/protocol"
import { type Commands, commandsOf } from "./commands.ts"
import { Shared } from "./shared.ts"

export type SharedConversation = {
  readonly conversation: Conversation
  readonly view: Shared<LiveState, LiveConversation>
  /** The same object for as long as the client exists. */
  readonly commands: Commands
}

const loadingFeed: LiveFeedState = {
  phase: "loading",
  connection: "connecting",
  reconnectAt: null,
  conversations: [],
  error: null,
}

export class Views {
  readonly feed: Shared<LiveFeedState, LiveFeed>
  readonly #parlor: Parlor
  readonly #conversations = new Map<string, SharedConversation>()
  #agents: Promise<readonly AgentView[]> | undefined

  constructor(parlor: Parlor) {
    this.#parlor = parlor
    this.feed = new Shared({ open: () => parlor.feed().live(), loading: loadingFeed })
  }

  /** The options count for the first component that names the address. */
  conversation(agent: string, branch: string | undefined, options: LiveOptions): SharedConversation {
    const conversation = this.#parlor.conversation(agent, branch)
    const address = JSON.stringify([agent, conversation.branch])
    const known = this.#conversations.get(address)
    if (known !== undefined) return known
    const view = new Shared<LiveState, LiveConversation>({
      open: () => conversation.live(options),
      loading: loadingState,
      isBusy: ({ sending }) => sending.some(({ state }) => state === "sending"),
    })
    const made = { conversation, view, commands: commandsOf(view) }
    this.#conversations.set(address, made)
    return made
  }

  /** Read once. After a failure, the next component tries again. */
  agents(): Promise<readonly AgentView[]> {
    this.#agents ??= this.#parlor.agents().catch((error: unknown) => {
      this.#agents = undefined
      throw error
    })
    return this.#agents
  }
}

const known = new WeakMap<Parlor, Views>()

export function viewsOf(parlor: Parlor): Views {
  const views = known.get(parlor) ?? new Views(parlor)
  known.set(parlor, views)
  return views
}
