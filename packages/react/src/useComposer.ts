import { makeKey, ParlorError, type SendOptions } from "@parlor/client"
import { composed } from "@parlor/client/composer"
import type { AgentView, Sent, SlashCommandRow } from "@parlor/protocol"
import { bestMatches, type TypedSign, triggerIn } from "@parlor/protocol"
import {
  type ChangeEvent,
  type SyntheticEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react"
import { useShared, useViews } from "./provider.ts"
import type { SharedConversation, Views } from "./views.ts"

type Field = HTMLTextAreaElement | HTMLInputElement

export type Suggestion =
  | { readonly kind: "command"; readonly word: string; readonly command: SlashCommandRow }
  | { readonly kind: "agent"; readonly word: string; readonly agent: AgentView }

export type ComposerSendOptions = Omit<SendOptions, "signal" | "key"> & {
  /** Already uploaded. */
  readonly attachments?: readonly { readonly hash: string }[]
}

export type Composer = {
  readonly text: string
  /** The caret is at the end of the text by default. */
  readonly setText: (text: string, caret?: number) => void
  /** For a `textarea` or `input`: `<textarea {...composer.field} />`. */
  readonly field: {
    readonly value: string
    readonly onChange: (event: ChangeEvent<Field>) => void
    readonly onSelect: (event: SyntheticEvent<Field>) => void
  }
  /** Commands or agents for the word at the caret, best match first (API-53). */
  readonly suggestions: readonly Suggestion[]
  readonly accept: (suggestion: Suggestion) => void
  /** Sends the text, parsed with its references (API-52). Resolves with undefined if it is blank or was not delivered. */
  readonly send: (options?: ComposerSendOptions) => Promise<Sent | undefined>
  /** Why the last message was refused. Its text is back in `text`. */
  readonly error: ParlorError | null
}

type Draft = {
  readonly of: SharedConversation
  readonly text: string
  readonly caret: number
  readonly error: ParlorError | null
}

const MAX_SUGGESTIONS = 20

/** The text being written to a conversation. It renders only when that text or the commands change, not while a reply streams. */
export function useComposer(agent: string, branch?: string): Composer {
  const shared = useShared(agent, branch)
  const { view, commands } = shared
  const getCommands = () => view.getState().slashCommands
  const known = useSyncExternalStore(view.subscribe, getCommands, () => view.getServerState().slashCommands)
  const agents = useAgents(useViews())
  const [draft, draftNow, setDraft] = useDraft(shared)
  const { text, caret, error } = draft

  const setText = (next: string, at = next.length) =>
    setDraft({ of: shared, text: next, caret: at, error: next === draftNow().text ? draftNow().error : null })
  const { trigger, suggestions } = useMemo(
    () => suggest(text, caret, agent, known, agents),
    [text, caret, agent, known, agents],
  )

  const accept = ({ word }: Suggestion) => {
    if (trigger === undefined) return
    const before = `${text.slice(0, caret - trigger.length)}${word} `
    setText(before + text.slice(caret).replace(/^ /, ""), before.length)
  }

  const send = async ({ attachments = [], ...options }: ComposerSendOptions = {}) => {
    // Not the text of the last render: a second submit before the next render finds it empty.
    const { text: source } = draftNow()
    if (source.trim() === "" && attachments.length === 0) return undefined
    setDraft(empty(shared))
    const names = agents === undefined ? {} : { agents: agents.map(({ name }) => name) }
    const body = composed(source, { commands: known.map(({ name }) => name), ...names, attachments })
    const key = makeKey()
    try {
      return await commands.send(body, { ...options, key })
    } catch (refusal) {
      if (!(refusal instanceof ParlorError)) throw refusal
      const now = draftNow()
      if (refusal.code === "send.cancelled" || now.of !== shared || now.text !== "") return undefined
      commands.dismissSend(key)
      setDraft({ of: shared, text: source, caret: source.length, error: refusal })
      return undefined
    }
  }

  const follow = ({ currentTarget: { value, selectionEnd } }: SyntheticEvent<Field>) =>
    setText(value, selectionEnd ?? value.length)
  return { text, setText, field: { value: text, onChange: follow, onSelect: follow }, suggestions, accept, send, error }
}

/** Belongs to one conversation: after a switch to another one, it is empty. */
function useDraft(shared: SharedConversation) {
  const [stored, setStored] = useState(() => empty(shared))
  const latest = useRef(stored)
  const here = useRef(shared)
  useEffect(() => {
    here.current = shared
  }, [shared])
  const current = (draft: Draft, of: SharedConversation) => (draft.of === of ? draft : empty(of))
  const setDraft = (next: Draft) => {
    latest.current = next
    setStored(next)
  }
  return [current(stored, shared), () => current(latest.current, here.current), setDraft] as const
}

function empty(of: SharedConversation): Draft {
  return { of, text: "", caret: 0, error: null }
}

/** Undefined until they are known; without them, any valid name counts as an agent's. */
function useAgents(views: Views): readonly AgentView[] | undefined {
  const [agents, setAgents] = useState<readonly AgentView[]>()
  useEffect(() => {
    let isHere = true
    views.agents().then(
      (read) => isHere && setAgents(read),
      () => {},
    )
    return () => {
      isHere = false
    }
  }, [views])
  return agents
}

type Suggested = { readonly trigger: TypedSign | undefined; readonly suggestions: readonly Suggestion[] }

function suggest(
  text: string,
  caret: number,
  self: string,
  commands: readonly SlashCommandRow[],
  agents: readonly AgentView[] = [],
): Suggested {
  const trigger = triggerIn(text.slice(text.lastIndexOf("\n", caret - 1) + 1, caret))
  if (trigger === undefined) return { trigger, suggestions: [] }
  const { sign, query } = trigger
  const others = agents.filter(({ name }) => name !== self)
  const suggestions: readonly Suggestion[] =
    sign === "/"
      ? bestMatches(query, commands, nameOf, MAX_SUGGESTIONS).map((command) => ({
          kind: "command",
          word: sign + command.name,
          command,
        }))
      : bestMatches(query, others, nameOf, MAX_SUGGESTIONS).map((agent) => ({
          kind: "agent",
          word: sign + agent.name,
          agent,
        }))
  return { trigger, suggestions }
}

function nameOf({ name }: { readonly name: string }): string {
  return name
}
