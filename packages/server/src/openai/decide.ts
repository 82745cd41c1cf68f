/** Decides what a request does to its conversation, before anything is written. */
import { randomBytes } from "node:crypto"
import { compareResent, type ResponsePlace, type SaidAll } from "@parlor/adapters"
import type { MessageId } from "@parlor/protocol"
import type { Services } from "../services.ts"
import { readAnswer } from "../turns/follow-turns.ts"
import { rememberedChat } from "./chats.ts"
import type { Plan } from "./plan.ts"
import type { Destination, SendCall } from "./send-call.ts"
import { digestOfText, readStored, type Stored } from "./stored.ts"

/** For a conversation that is named, found by what was said in it, or new. */
export async function decide(
  services: Services,
  call: SendCall,
  { to, said }: { readonly to: Destination; readonly said: SaidAll },
): Promise<Plan> {
  const { agent } = to
  const { person } = call.caller
  const { history } = said
  const importsHistory = history.length > 0
  const branch = to.branch ?? (await rememberedChat(services.runtime, { person, agent, said: history }, call.txid))
  const plan = { agent, branch: branch ?? `chat-${randomName()}`, ...newPlan(services) }
  const stored = branch === undefined ? undefined : await readStored(services.runtime, { agent, branch, person })
  if (stored === undefined || stored.isEmpty) return { ...plan, act: { kind: "send", importsHistory } }
  const verdict = compareResent({
    said: [...history.filter(({ role }) => role === "user"), said.message].map(({ text }) => digestOfText(text)),
    stored: stored.messages,
    isWhole: stored.isWhole,
    sendsWholeHistory: to.sendsWholeHistory,
  })
  return { ...plan, act: verdict.kind === "append" ? appendOrAnswer(stored) : verdict }
}

/** For a message after a response: in its conversation, or in a branch from it if the conversation has gone on. */
export async function decideAfter(services: Services, call: SendCall, previous: ResponsePlace): Promise<Plan> {
  const { agent, branch } = previous
  const { person } = call.caller
  const { runtime } = services
  const address = { agent, branch, person }
  const plan = { agent, branch, ...newPlan(services) }
  const { id: stream } = await runtime.conversation(address)
  let from: string = previous.message
  let isOver = false
  const message = previous.message as MessageId
  await readAnswer({ runtime, stream, after: previous.after, message }, (event) => {
    if (event.type === "step-started") from = event.message
    if (event.type === "turn-ended") isOver = true
  })
  const stored = await readStored(runtime, address)
  const isNewest = stored?.messages.at(-1)?.id === previous.message
  if (stored !== undefined && (isNewest || !isOver)) return { ...plan, act: appendOrAnswer(stored) }
  return { ...plan, act: { kind: "fork", from } }
}

function appendOrAnswer({ openAsk }: Stored): Plan["act"] {
  return openAsk === undefined ? { kind: "send", importsHistory: false } : { kind: "answer", ask: openAsk.id }
}

function newPlan({ clock }: Services): Pick<Plan, "created" | "key"> {
  return { created: Math.floor(clock.now() / 1_000), key: `openai:${randomName()}${randomName()}` }
}

export function randomName(): string {
  return randomBytes(6).toString("hex")
}
