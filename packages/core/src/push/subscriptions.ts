/** Which browsers of a person are notified: subscribe, list, test, unsubscribe (APP-6). */
import {
  type AnswerOf,
  limits,
  type ProblemNote,
  type PushBody,
  type PushView,
  Refusal,
  unreachable,
} from "@parlor/protocol"
import type { PushRecord } from "../ports/pushes.ts"
import { type PushAccess, type PushParts, partsOf } from "./push-access.ts"
import { pushKeys } from "./push-keys.ts"
import { type News, noteFor } from "./push-news.ts"
import { pushTo } from "./pusher.ts"

export async function readPush(node: PushAccess, person: string): Promise<AnswerOf<"readPush">> {
  const parts = partsOf(node)
  if (parts === undefined) return { publicKey: null, subscriptions: [] }
  const { publicKey } = await pushKeys(node, parts)
  return { publicKey, subscriptions: await listPush(node, person) }
}

/** Without the addresses and keys of the browsers. */
export async function listPush({ store }: Pick<PushAccess, "store">, person: string): Promise<PushView[]> {
  return (await store.pushes.of(person)).map(viewOf)
}

/** `keyHash`: of the API key that asks; null for a person. */
export async function subscribePush(
  node: PushAccess,
  person: string,
  { endpoint, keys, device, showsText }: PushBody,
  { keyHash }: Pick<PushRecord, "keyHash">,
): Promise<PushView> {
  const parts = need(node)
  const target = { endpoint, ...keys }
  const defect = parts.sender.defect(target)
  if (defect !== undefined) {
    const { field, detail } = defect
    throw new Refusal("push.endpoint", detail, field === "endpoint" ? "/endpoint" : `/keys/${field}`)
  }
  const { publicKey: serverKey } = await pushKeys(node, parts)
  const id = parts.sender.idOf(target)
  const record: PushRecord = { ...target, id, person, serverKey, device, showsText, keyHash, seenAt: node.clock.now() }
  await node.store.pushes.put(record, limits.pushes)
  return viewOf(record)
}

export async function unsubscribePush(node: PushAccess, person: string, id: string): Promise<void> {
  if (!(await node.store.pushes.remove(person, id))) throw unknown()
}

/** Sends a test notification now, and returns the result. */
export async function testPush(
  node: PushAccess,
  person: string,
  id: string,
): Promise<{ readonly delivered: boolean; readonly error: ProblemNote | null }> {
  const parts = need(node)
  const record = (await node.store.pushes.of(person)).find((one) => one.id === id)
  if (record === undefined) throw unknown()
  const keys = await pushKeys(node, parts)
  const news: News = { kind: "test", key: "test", agent: "", branch: "", text: "" }
  const pushed = await pushTo(node, parts, { keys, record, news, body: JSON.stringify(noteFor(news, 0, record)) })
  switch (pushed.kind) {
    case "sent":
      return { delivered: true, error: null }
    case "gone":
      return failed("push.gone", "The browser no longer receives notifications. Turn them off and on again.")
    case "failed":
      return failed("push.failed", pushed.detail)
    default:
      return unreachable(pushed)
  }
}

function failed(code: string, detail: string) {
  return { delivered: false, error: { code, detail } }
}

function viewOf({ id, device, endpoint, showsText, seenAt }: PushRecord): PushView {
  return { id, device, service: new URL(endpoint).host, showsText, seenAt }
}

function need(node: PushAccess): PushParts {
  const parts = partsOf(node)
  if (parts !== undefined) return parts
  throw new Refusal("push.unknown", "This server cannot send notifications.")
}

function unknown(): Refusal {
  return new Refusal("push.unknown", "This browser is not subscribed to notifications.")
}
