/** Management of outgoing webhooks: create, list, pause, test, delete. */
import {
  limits,
  type NoticeChange,
  type NoticeEvent,
  type NoticeView,
  type ProblemNote,
  Refusal,
  unreachable,
} from "@parlor/protocol"
import type { Courier, Delivery, Parcel } from "../ports/courier.ts"
import { checkBytes } from "../quota/quota.ts"
import { checkNotDeclared } from "./declared.ts"
import { lastFirings, listFirings } from "./firing.ts"
import type { MadeSecret } from "./hooks.ts"
import { changed, type Notice, noticeOf, noticeRecord, noticeView, type Told } from "./notice.ts"
import { openSecret, sealSecret } from "./secret.ts"
import type { Sealing, TriggerAccess } from "./trigger-access.ts"

const CHANGE_TRIES = 10

export type NewNotice = {
  readonly url: string
  readonly events: readonly NoticeEvent[]
  readonly agent: string | null
  readonly name: string
}

export async function listNotices(node: TriggerAccess, person: string): Promise<readonly NoticeView[]> {
  const notices = (await node.store.triggers.of(person, ["notice"])).map(noticeOf)
  const last = await lastFirings(
    node.store,
    notices.map(({ id }) => id),
  )
  return notices.map((notice) => noticeView(notice, last.get(notice.id) ?? null))
}

export async function openNotice(node: TriggerAccess, person: string, id: string) {
  const notice = await own(node, person, id)
  const firings = await listFirings(node.store, id, null, limits.firings)
  return { ...noticeView(notice, firings[0] ?? null), firings }
}

export async function makeNotice(
  node: TriggerAccess,
  person: string,
  asked: NewNotice,
  made: MadeSecret & { readonly isDeclared?: boolean },
): Promise<NoticeView> {
  const defect = courierOf(node).defect(asked.url)
  if (defect !== undefined) throw new Refusal("notice.url", defect, "/url")
  const now = node.clock.now()
  await checkBytes(node, person, asked.url.length)
  const { head } = await node.store.log.ensure({ kind: "feed", person })
  const begun = { state: "active", why: null, upTo: head, tries: 0, retryAt: null, takenUntil: null } as const
  const events = [...new Set(asked.events)]
  const secret = sealSecret(node, made.id, made.secret)
  const declared = made.isDeclared === true ? { declared: true } : {}
  const kept = { id: made.id, secret, events, person, version: 1, createdAt: now, ...declared }
  const notice: Notice = { ...asked, ...begun, ...kept }
  const audit = { at: now, person, act: "notice.made", subject: notice.id }
  const most = node.settings.quota.notices
  const added = await node.store.triggers.add(noticeRecord(notice), { per: "person", most }, audit)
  switch (added) {
    case "added":
      node.tell(person, { isNew: true })
      return noticeView(notice, null)
    case "full":
      throw new Refusal("notice.full", `You already have the maximum of ${most} outgoing webhooks. Delete one first.`)
    case "known":
    case "gone":
      throw new Refusal("trigger.changed", "This outgoing webhook already exists. Try again.")
    default:
      return unreachable(added)
  }
}

/** Resuming continues where it stopped: nothing that happened in the meantime is lost. */
export async function changeNotice(
  node: TriggerAccess,
  person: string,
  id: string,
  { paused, name }: NoticeChange,
): Promise<NoticeView> {
  for (let tries = 0; tries < CHANGE_TRIES; tries++) {
    const notice = await own(node, person, id)
    if (name !== undefined) checkNotDeclared("notice", notice)
    const begun = { state: "active", why: null, tries: 0, retryAt: null } as const
    const state = paused === undefined ? {} : paused ? ({ state: "paused", why: null } as const) : begun
    const now = changed(notice, { ...state, ...(name === undefined ? {} : { name }) })
    if (!(await node.store.triggers.change(noticeRecord(now)))) continue
    node.tell(person, { isNew: true })
    return noticeView(now, (await lastFirings(node.store, [id])).get(id) ?? null)
  }
  throw new Refusal("trigger.changed", "This outgoing webhook was changed at the same moment. Try again.")
}

export async function deleteNotice(node: TriggerAccess, person: string, id: string): Promise<void> {
  checkNotDeclared("notice", await own(node, person, id))
  const audit = { at: node.clock.now(), person, act: "notice.deleted", subject: id }
  if (!(await node.store.triggers.delete(id, audit))) throw unknown(id)
}

/** Sends a test event now, and returns the result. */
export async function testNotice(
  node: TriggerAccess,
  person: string,
  id: string,
): Promise<{ readonly delivered: boolean; readonly error: ProblemNote | null }> {
  const courier = courierOf(node)
  const notice = await own(node, person, id)
  const at = node.clock.now()
  const told: Told = { type: "test", timestamp: new Date(at).toISOString(), data: { notice: id } }
  const parcel = { id: node.ids.next("msg"), at, body: JSON.stringify(told) }
  const delivery = await takeTo(node, courier, notice, parcel)
  if (delivery.ok) return { delivered: true, error: null }
  return { delivered: false, error: { code: delivery.code, detail: delivery.detail } }
}

/** Signed with the webhook's secret. */
export async function takeTo(
  node: Sealing,
  courier: Courier,
  { id, url, secret: sealed }: Notice,
  parcel: Omit<Parcel, "url" | "secret">,
): Promise<Delivery> {
  const secret = openSecret(node, id, sealed)
  if (secret !== undefined) return courier.take({ ...parcel, url, secret })
  const detail =
    "The key that encrypted this webhook's secret is lost. Delete the outgoing webhook and create it again."
  return { ok: false, never: true, code: "notice.secret", detail }
}

function courierOf({ courier }: TriggerAccess): Courier {
  if (courier !== undefined) return courier
  throw new Refusal("notice.url", "Outgoing webhooks are disabled on this server.")
}

async function own(node: TriggerAccess, person: string, id: string): Promise<Notice> {
  const record = await node.store.triggers.get(id)
  if (record?.kind !== "notice" || record.person !== person) throw unknown(id)
  return noticeOf(record)
}

function unknown(id: string): Refusal {
  return new Refusal("notice.unknown", `There is no outgoing webhook ${id}.`)
}
