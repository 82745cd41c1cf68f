/** Desktop notifications: only when enabled, and only while no window is visible. */
import { browserKeep, type Keep } from "../keep/keep.ts"
import type { NewsItem } from "./news.ts"

const key = "parlor.notify"
const TITLE_LENGTH = 80
const BODY_LENGTH = 160
/** A lone surrogate at the end of a cut text. */
const HALF = /[\uD800-\uDBFF]$/

export type Wish = "on" | "off" | undefined
export type Allowed = "granted" | "denied" | "default" | "missing"

/** The person's choice. Undefined: not asked yet. */
export function wishIn(keep: Keep = browserKeep): Wish {
  const kept = keep.read(key)
  return kept === "on" || kept === "off" ? kept : undefined
}

export function keepWish(wish: "on" | "off", keep: Keep = browserKeep): void {
  keep.write(key, wish)
}

/** Whether the browser allows notifications. */
export function allowedNow(): Allowed {
  return typeof Notification === "undefined" ? "missing" : Notification.permission
}

/** Asks for permission. Must be called from a click. */
export async function askToCall(): Promise<boolean> {
  if (typeof Notification === "undefined") return false
  return (await Notification.requestPermission()) === "granted"
}

/** False where only service workers may show notifications, as on some phones. */
export function call(item: NewsItem, onOpen: (item: NewsItem) => void): boolean {
  try {
    const shown = new Notification(...shownOf(item))
    shown.onclick = () => {
      onOpen(item)
      shown.close()
    }
    return true
  } catch {
    return false
  }
}

/** There the worker shows it, without words (APP-9), and opens the address when it is pressed (APP-11). */
export async function callByWorker(item: NewsItem): Promise<void> {
  const [title, look] = shownOf({ ...item, body: "" })
  const { address } = item
  const registration = await navigator.serviceWorker?.getRegistration()
  await registration?.showNotification(title, { ...look, data: { address } }).catch(() => undefined)
}

function shownOf({ title, body, key }: NewsItem) {
  return [cut(title, TITLE_LENGTH), { body: cut(body, BODY_LENGTH), tag: key, silent: true }] as const
}

function cut(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length <= length ? line : `${line.slice(0, length - 1).replace(HALF, "")}…`
}
