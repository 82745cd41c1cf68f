/**
 * Web push for this browser (APP-6).
 *
 *   off ──turned on: permission, subscription, stored by the server──▶ on ──turned off, signed out──▶ off
 *                                                                      └──each start: renewed where it was lost
 *
 * The browser has one subscription, whoever is signed in. A person who never turned it on here has no record, and then a
 * subscription that is found belongs to somebody who used this browser before: it is ended.
 */
import type { Parlor } from "@parlor/client"
import type { Keep } from "../keep/keep.ts"
import { allowedNow } from "../notify/calls.ts"
import { deviceName } from "./deviceName.ts"
import { keepRecord, recordIn } from "./pushRecord.ts"
import { dropWorkerWords, keepWorkerWords } from "./workerWords.ts"

const RENEW_MS = 24 * 60 * 60_000
const TURN_OFF_MS = 3_000

/** `device`: the browser or its push service refused. */
export class PushProblem extends Error {
  readonly kind: "blocked" | "device" | "server"

  constructor(kind: PushProblem["kind"]) {
    super(kind)
    this.kind = kind
  }
}

/** Needs a secure page, and on some phones the installed app. */
export function canPush(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window && "caches" in window
}

/** Must be called from a click, because it may ask for permission. */
export async function turnOn(parlor: Parlor, keep: Keep, showsText: boolean): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") throw new PushProblem("blocked")
  const { publicKey } = await parlor.pushes.read()
  if (publicKey === null) throw new PushProblem("server")
  await subscribe(parlor, keep, { showsText, publicKey })
}

/** Ends it here even if the server cannot be reached: the push service then tells the server. */
export async function turnOff(parlor: Parlor, keep: Keep): Promise<void> {
  const record = recordIn(keep)
  keepRecord(undefined, keep)
  const told = record && parlor.pushes.unsubscribe(record.id).catch(() => undefined)
  await Promise.race([
    Promise.all([told, (await current())?.unsubscribe(), dropWorkerWords()]),
    new Promise((resolve) => setTimeout(resolve, TURN_OFF_MS)),
  ])
}

/** Called at each start of the page. */
export async function renew(parlor: Parlor, keep: Keep): Promise<void> {
  if (!canPush()) return
  const record = recordIn(keep)
  const found = await current()
  if (record === undefined) {
    await found?.unsubscribe()
    return
  }
  if (allowedNow() !== "granted") return turnOff(parlor, keep)
  await keepWorkerWords()
  const { publicKey, subscriptions } = await parlor.pushes.read()
  if (publicKey === null) return
  const isKnown = subscriptions.some(({ id }) => id === record.id)
  const isRecent = Date.now() - record.at < RENEW_MS
  if (found !== undefined && isKnown && isRecent && isFor(found, publicKey)) return
  await subscribe(parlor, keep, { showsText: record.showsText, publicKey })
}

async function subscribe(
  parlor: Parlor,
  keep: Keep,
  { showsText, publicKey }: { readonly showsText: boolean; readonly publicKey: string },
): Promise<void> {
  const { endpoint = "", keys = {} } = (await subscription(publicKey)).toJSON()
  const { p256dh = "", auth = "" } = keys
  const device = deviceName(navigator.userAgent)
  const { id } = await parlor.pushes.subscribe({ endpoint, keys: { p256dh, auth }, device, showsText })
  keepRecord({ id, showsText, at: Date.now() }, keep)
  await keepWorkerWords()
}

/** The one the browser has, unless it is for another key of the server. */
async function subscription(publicKey: string): Promise<PushSubscription> {
  try {
    await navigator.serviceWorker.register("/sw.js")
    const { pushManager } = await navigator.serviceWorker.ready
    const found = await pushManager.getSubscription()
    if (found !== null && isFor(found, publicKey)) return found
    await found?.unsubscribe()
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  } catch {
    throw new PushProblem("device")
  }
}

async function current(): Promise<PushSubscription | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration()
  return (await registration?.pushManager?.getSubscription()) ?? undefined
}

function isFor({ options }: PushSubscription, publicKey: string): boolean {
  const key = options.applicationServerKey
  if (key === null) return false
  const text = btoa(String.fromCharCode(...new Uint8Array(key)))
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === publicKey
}
