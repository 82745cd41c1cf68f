/**
 * What is in front, from the address. `#/critic` is that agent's `main`, `#/critic/redder` a branch of it and
 * `#/critic/redder/msg_1` one message there; `?side=aside` opens a sidecar beside it. Other pages start with their name
 * and keep the conversation to go back to: `#files/critic/redder/notes.md`. Pure.
 */
import { MAIN_BRANCH } from "@parlor/protocol"

export const pages = [
  "memory",
  "triggers",
  "files",
  "search",
  "inspect",
  "chapters",
  "attachments",
  "account",
  "shared",
] as const
export type PageName = (typeof pages)[number]

export type Place = {
  readonly page: "conversation" | PageName
  readonly agent: string
  readonly branch: string
  /** A message of the conversation, or the page's detail: a path, a turn, a search text. */
  readonly detail: string | undefined
  /** The branch in the side pane. */
  readonly side: string | undefined
}

const ADDRESS = /^#([a-z]*)\/([^/?]+)(?:\/([^/?]+))?(?:\/([^/?]+))?(?:\?side=([^&]+))?$/

/** An address that names nothing is the first agent's `main`. */
export function placeIn(hash: string, first = ""): Place {
  const found = ADDRESS.exec(hash)
  const nowhere: Place = { page: "conversation", agent: first, branch: MAIN_BRANCH, detail: undefined, side: undefined }
  if (found === null) return nowhere
  const page = found[1] === "" ? "conversation" : pages.find((name) => name === found[1])
  const [agent, branch, detail, side] = found.slice(2).map(decoded)
  if (page === undefined || agent === undefined) return nowhere
  return { page, agent, branch: branch ?? MAIN_BRANCH, detail, side: page === "conversation" ? side : undefined }
}

/** The address of a conversation or a message in it, optionally with a sidecar. */
export function addressOf(
  agent: string,
  branch: string = MAIN_BRANCH,
  at: { readonly message?: string | undefined; readonly side?: string | undefined } = {},
): string {
  const side = at.side === undefined ? "" : `?side=${encodeURIComponent(at.side)}`
  return `#${pathOf(agent, branch, at.message)}${side}`
}

/** The address of another page about a conversation. */
export function pageAddress(page: PageName, agent: string, branch: string = MAIN_BRANCH, detail?: string): string {
  return `#${page}${pathOf(agent, branch, detail)}`
}

/** The key of a place's conversation, used for drafts and tabs. */
export function conversationOf({ agent, branch }: Pick<Place, "agent" | "branch">): string {
  return `${agent}/${branch}`
}

/** A name for a new conversation. It is created on the server with its first message (ADR-12). */
export function newChatBranch(): string {
  const letters = crypto.getRandomValues(new Uint8Array(12))
  return `chat-${Array.from(letters, (byte) => (byte % 36).toString(36)).join("")}`
}

/** Such a conversation may not exist yet. */
export function isNewChat(branch: string): boolean {
  return /^chat-[0-9a-z]{12}$/.test(branch)
}

function pathOf(agent: string, branch: string, detail: string | undefined): string {
  const steps = detail !== undefined ? [agent, branch, detail] : branch === MAIN_BRANCH ? [agent] : [agent, branch]
  return steps.map((step) => `/${encodeURIComponent(step)}`).join("")
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}
