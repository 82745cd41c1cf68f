/** News through the system, outside of the page: only when the person said so, and only while nobody looks. */
import { browserKeep, type Keep } from "../keep/keep.ts"
import type { NewsItem } from "./news.ts"

const key = "parlor.notify"
const TITLE_LENGTH = 80
const BODY_LENGTH = 160
/** Half of a character, where a text was cut. */
const HALF = /[\uD800-\uDBFF]$/

export type Wish = "on" | "off" | undefined
export type Allowed = "granted" | "denied" | "default" | "missing"

/** What the person chose here. Undefined: they were not asked yet. */
export function wishIn(keep: Keep = browserKeep): Wish {
  const kept = keep.read(key)
  return kept === "on" || kept === "off" ? kept : undefined
}

export function keepWish(wish: "on" | "off", keep: Keep = browserKeep): void {
  keep.write(key, wish)
}

/** Whether the browser lets the page call. */
export function allowedNow(): Allowed {
  return typeof Notification === "undefined" ? "missing" : Notification.permission
}

/** Asks the browser, which asks the person: only ever from something they pressed. */
export async function askToCall(): Promise<boolean> {
  if (typeof Notification === "undefined") return false
  return (await Notification.requestPermission()) === "granted"
}

/** False where the browser only lets service workers call, as some phones do. */
export function call(item: NewsItem, onOpen: (item: NewsItem) => void): boolean {
  try {
    const shown = new Notification(cut(item.title, TITLE_LENGTH), {
      body: cut(item.body, BODY_LENGTH),
      tag: item.key,
      silent: true,
    })
    shown.onclick = () => {
      onOpen(item)
      shown.close()
    }
    return true
  } catch {
    return false
  }
}

function cut(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length <= length ? line : `${line.slice(0, length - 1).replace(HALF, "")}…`
}
