/**
 * What a pane shows of a conversation while it opens (TAB-2 to TAB-4). Pure, part of the state machine in `machine.ts`.
 *
 *   opened ──▶ nothing, or the data in memory
 *                 │ kept: a snapshot from the browser, if nothing better is shown
 *                 │ news: the conversation itself, from its first state that is not loading
 *                 ▼
 *              live, and stays so
 *
 * Every response names its activation. One for an outdated activation, or worse than what is shown, is ignored.
 */
import type { LiveState } from "@parlor/client"
import { unreachable } from "@parlor/protocol"
import { tailed } from "./streaming.ts"

/** The last seen state of a conversation, and when. */
export type Held = { readonly state: LiveState; readonly asOf: number }

export type Opening = {
  readonly key: string | undefined
  readonly activation: number
  readonly from: "nothing" | "kept" | "held" | "live"
  readonly state: LiveState | undefined
  /** Set while what is shown may be outdated. */
  readonly asOf: number | undefined
  /** Unsent messages, independent of what is shown. */
  readonly sending: LiveState["sending"]
}

export type OpeningEvent =
  | { readonly type: "opened"; readonly key: string; readonly activation: number; readonly held: Held | undefined }
  | { readonly type: "kept"; readonly activation: number; readonly kept: Held }
  | { readonly type: "news"; readonly activation: number; readonly state: LiveState }

export const closed: Opening = {
  key: undefined,
  activation: 0,
  from: "nothing",
  state: undefined,
  asOf: undefined,
  sending: [],
}

export function opening(before: Opening, event: OpeningEvent): Opening {
  if (event.type === "opened") {
    const { key, activation, held } = event
    if (activation <= before.activation) return before
    return { ...closed, key, activation, ...(held && stale("held", held, [])) }
  }
  if (event.activation !== before.activation) return before
  switch (event.type) {
    case "kept":
      return before.from === "nothing" ? { ...before, ...stale("kept", event.kept, before.sending) } : before
    case "news":
      return told(before, event.state)
    default:
      return unreachable(event)
  }
}

function told(before: Opening, state: LiveState): Opening {
  if (state.phase !== "loading") {
    return { ...before, from: "live", asOf: undefined, sending: state.sending, state: tailed(state) }
  }
  if (before.state === undefined || before.from === "live" || before.from === "nothing")
    return { ...before, state, sending: state.sending }
  const { sending, connection, reconnectAt } = state
  return { ...before, sending, state: { ...before.state, sending, connection, reconnectAt } }
}

/** Older pages and unsent messages come from the live conversation. */
function stale(from: "kept" | "held", { state, asOf }: Held, sending: LiveState["sending"]): Partial<Opening> {
  const shown: LiveState = {
    ...state,
    connection: "connecting",
    reconnectAt: null,
    older: null,
    isLoadingOlder: false,
    sending,
    error: null,
  }
  return { from, asOf, state: shown }
}
