/**
 * The asks this window shows: those that are open, and those it has just seen close (TRN-12).
 *
 *   open ──answered, expired, withdrawn──▶ closed ──a newer message──▶ gone
 *
 * A closed ask with an unsent answer stays until the person moves or discards that text.
 */
import type { AskRow, Part, ToolPart } from "@parlor/protocol"
import { t } from "../../texts/en/ask.ts"

export type Json = AskRow["answer"]

export type ShownAsk = {
  readonly ask: AskRow
  readonly closed: "answered" | "expired" | "withdrawn" | undefined
  /** The answer given in this window. */
  readonly mine: { readonly answer: Json } | undefined
  /** Text typed in this window and not sent. */
  readonly draft: string
  /** The newest message when it closed. */
  readonly lastMessage: string | undefined
}

export type Scene = {
  readonly open: readonly AskRow[]
  readonly turn: string | null
  readonly lastMessage: string | undefined
  readonly now: number
}

/** Returns the same array when nothing changed. */
export function followAsks(shown: readonly ShownAsk[], scene: Scene): readonly ShownAsk[] {
  const known = shown.flatMap((one) => follow(one, scene) ?? [])
  const fresh = scene.open.filter((ask) => ask.state === "open" && !shown.some((one) => one.ask.id === ask.id))
  const next = [...known, ...fresh.map(opened)]
  return next.length === shown.length && next.every((one, index) => one === shown[index]) ? shown : next
}

function follow(one: ShownAsk, scene: Scene): ShownAsk | undefined {
  const isPast = one.closed !== undefined && one.draft === "" && one.lastMessage !== scene.lastMessage
  if (one.closed !== undefined) return isPast ? undefined : one
  const row = scene.open.find((ask) => ask.id === one.ask.id)
  if (row?.state === "open") return row === one.ask ? one : { ...one, ask: row }
  const isMine = one.mine !== undefined
  return {
    ...one,
    ask: row ?? one.ask,
    closed: row?.state ?? closedHow(one, scene),
    draft: isMine ? "" : one.draft,
    lastMessage: scene.lastMessage,
  }
}

/** How an ask that disappeared was closed: its turn ended, it expired, or someone answered it. */
function closedHow({ ask, mine }: ShownAsk, scene: Scene): ShownAsk["closed"] {
  if (mine !== undefined) return "answered"
  if (scene.turn !== ask.turn) return "withdrawn"
  return ask.expiresAt !== null && ask.expiresAt <= scene.now ? "expired" : "answered"
}

function opened(ask: AskRow): ShownAsk {
  return { ask, closed: undefined, mine: undefined, draft: "", lastMessage: undefined }
}

/** How it ended, in words. `tool` is the call it was about. */
export function closedWords({ closed, mine, ask }: ShownAsk, tool: ToolPart | undefined): string {
  if (closed === "expired") return t("noOneAnsweredInTime")
  if (closed === "withdrawn") return t("withdrawnTheReplyWasStopped")
  if (mine !== undefined)
    return ask.kind === "approval"
      ? mine.answer === true
        ? t("youAllowedThis")
        : t("youDeniedThis")
      : answerWords(mine.answer, ask.options)
  if (ask.kind !== "approval") return t("answeredInAnotherWindow")
  const isRefused = tool?.error?.code === "tool.refused"
  return tool === undefined || tool.state === "waiting"
    ? t("answeredInAnotherWindow")
    : isRefused
      ? t("deniedElsewhere")
      : t("allowedElsewhere")
}

/** The person's answer, for a line that stays (ASK-1). */
function answerWords(answer: Json, options: readonly string[] | null): string {
  if (typeof answer !== "string") return t("youAnswered")
  return options?.includes(answer) ? t("youChoseAnswer", { answer }) : t("youAnsweredAnswer", { answer })
}

/** The answer that text in the composer gives to the only open question; undefined if it is no answer (ASK-3). */
export function typedAnswer(
  asks: readonly AskRow[],
  text: string,
): { readonly ask: string; readonly answer: string } | undefined {
  const [ask, ...more] = asks
  const typed = text.trim()
  if (ask === undefined || more.length > 0 || ask.kind !== "question" || typed === "") return undefined
  const option = ask.options?.find((one) => one.toLowerCase() === typed.toLowerCase())
  return { ask: ask.id, answer: option ?? typed }
}

/** The tool call an ask is about. Searches from the newest message, where it usually is. */
export function toolOf(ask: Pick<AskRow, "call">, messages: readonly { readonly parts: readonly Part[] }[]) {
  if (ask.call === null) return undefined
  for (let index = messages.length - 1; index >= 0; index--) {
    const found = messages[index]?.parts.find((part) => part.type === "tool" && part.call === ask.call)
    if (found?.type === "tool") return found
  }
  return undefined
}
