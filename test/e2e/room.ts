/** What a person sees and does on the page. */
import type { Locator, Page } from "playwright-core"
import { expect } from "vitest"

export type Room = {
  readonly page: Page
  readonly box: Locator
  readonly log: Locator
  readonly status: Locator
  readonly queue: Locator
  readonly send: Locator
  readonly stop: Locator
  /** All messages of the person and of the agent. */
  readonly mine: Locator
  readonly replies: Locator
  say(text: string): Promise<void>
  /** Empties the box. */
  clear(): Promise<void>
  /** The text in the box. */
  written(): Promise<string>
  /** Steers: adds the message to the current reply. */
  steer(text: string): Promise<void>
  /** A queued message and its buttons. */
  waiting(text: string): Locator
  act(text: string, name: string): Promise<void>
  /** The card of an ask. */
  ask(title: string): Locator
}

/** The conversation in front, or the one within another part of the page. */
export function roomOf(page: Page, agent = "host", within: Locator = page.locator("main")): Room {
  const box = within.getByRole("textbox", { name: `Message to ${agent}` })
  // By attribute, because looking up roles and names is slow in a long conversation; access.test.ts checks the names.
  const log = within.locator(`[role=log][aria-label="Conversation with ${agent}"]`)
  const queue = within.getByRole("region", { name: "Queue" })
  const waiting = (text: string) => queue.getByRole("listitem").filter({ hasText: text })
  return {
    page,
    box,
    log,
    status: within.locator("header [role=status]"),
    queue,
    send: within.getByRole("button", { name: /^(Send|Queue|Add to current reply)$/ }),
    stop: within.getByRole("button", { name: "Stop", exact: true }),
    mine: log.locator('article[aria-label^="You,"]:not([aria-label="You, sending"])'),
    replies: log.locator(`article[aria-label^="${agent},"]`),
    async say(text) {
      await box.fill(text)
      await box.press("Enter")
    },
    async clear() {
      // The browser tells the editor late what is selected; until then there is nothing to delete.
      await expect
        .poll(async () => {
          await box.fill("")
          return box.evaluate(textInBox)
        })
        .toBe("")
    },
    written: () => box.evaluate(textInBox),
    async steer(text) {
      await box.fill(text)
      await box.press("Control+Enter")
    },
    waiting,
    act: (text, name) => waiting(text).getByRole("button", { name, exact: true }).click(),
    ask: (title) => log.getByRole("region", { name: title }),
  }
}

/** Runs in the page. Supports the plain box and the editor that replaces it. */
function textInBox(box: Element): string {
  if (box instanceof HTMLTextAreaElement) return box.value
  return Array.from(box.querySelectorAll("p"), (line) => line.textContent).join("\n")
}

/** Waits until the locator's text matches. The error contains the actual text. */
export async function expectText(where: Locator, wanted: string | RegExp): Promise<void> {
  const fits = (text: string) => (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text))
  const look = async () => {
    const text = await textIn(where)
    return fits(text) || text
  }
  await expect.poll(look).toBe(true)
}

/** Waits until the locator has exactly this text. */
export async function expectSame(where: Locator, text: string): Promise<void> {
  await expect.poll(() => textIn(where)).toBe(text)
}

/** Waits until both have the same text. */
export async function expectEqual(one: Locator, other: Locator): Promise<void> {
  const look = async () => {
    const texts = [await textIn(one), await textIn(other)]
    return texts[0] === texts[1] || texts
  }
  await expect.poll(look).toBe(true)
}

export async function expectCount(where: Locator, count: number): Promise<void> {
  await expect.poll(() => where.count()).toBe(count)
}

/** Waits until the box contains exactly this text. */
export async function expectWritten(room: Room, text: string): Promise<void> {
  await expect.poll(() => room.written()).toBe(text)
}

/** Its text with normalized spaces; empty if it does not exist. */
export async function textIn(where: Locator): Promise<string> {
  return (await where.allInnerTexts()).join(" ").replace(/\s+/g, " ").trim()
}
