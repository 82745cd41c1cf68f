/** From a request to the place of its reply: planned, carried out, and remembered where needed. */
import { isTaskPrompt, type ResponsePlace, type SaidAll } from "@parlor/adapters"
import type { Services } from "../services.ts"
import { carryOut, type Place } from "./carry-out.ts"
import { rememberChat } from "./chats.ts"
import { decide, decideAfter } from "./decide.ts"
import { planOnce } from "./plan.ts"
import type { Destination, SendCall } from "./send-call.ts"
import { openThrowaway } from "./throwaway.ts"

export type Started = {
  readonly place: Place
  /** Called with the text of the reply when it has ended; with undefined when its client left before. */
  readonly atEnd: (text: string | undefined) => Promise<void>
}

export type Asked = { readonly to: Destination; readonly said: SaidAll; readonly store: boolean | null | undefined }

export async function startReply(services: Services, call: SendCall, { to, said, store }: Asked): Promise<Started> {
  if (to.isTemporary || isTaskPrompt(said) || (store === false && to.branch === undefined)) {
    const { place, remove } = await openThrowaway(services, call, { to, said })
    return { place, atEnd: remove }
  }
  const { plan, isRepeat } = await planOnce(services, call, () => decide(services, call, { to, said }))
  const place = await carryOut(services, call, { plan, isRepeat, said })
  if (to.branch !== undefined) return { place, atEnd: async () => {} }
  return { place, atEnd: (text) => remember(services, call, { said, place, text }) }
}

/** A reply to what comes after a response. */
export async function startAfter(
  services: Services,
  call: SendCall,
  { previous, said }: { readonly previous: ResponsePlace; readonly said: SaidAll },
): Promise<Started> {
  const { plan, isRepeat } = await planOnce(services, call, () => decideAfter(services, call, previous))
  return { place: await carryOut(services, call, { plan, isRepeat, said }), atEnd: async () => {} }
}

async function remember(
  services: Services,
  call: SendCall,
  { said, place, text }: { readonly said: SaidAll; readonly place: Place; readonly text: string | undefined },
): Promise<void> {
  if (text === undefined) return
  const reply = { role: "assistant", text, files: [] } as const
  const chat = { person: call.caller.person, agent: place.agent, said: [...said.history, said.message, reply] }
  await rememberChat(services.runtime, chat, place.branch, call.txid)
}
