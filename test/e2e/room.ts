/** What a person sees and does on the page, in their words. */
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
  /** Messages of the person and of the agent, whatever they say. */
  readonly mine: Locator
  readonly replies: Locator
  say(text: string): Promise<void>
  /** What is in the box, as text. */
  written(): Promise<string>
  /** Lets it join the answer being written. */
  steer(text: string): Promise<void>
  /** A waiting message, and what one can do with it. */
  waiting(text: string): Locator
  act(text: string, name: string): Promise<void>
  /** The card of something the agent asks. */
  ask(title: string): Locator
}

/** The conversation in front, unless another part of the page is named. */
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

/** Runs in the page: of the plain box, or of the editor that takes its place. */
function textInBox(box: Element): string {
  if (box instanceof HTMLTextAreaElement) return box.value
  return Array.from(box.querySelectorAll("p"), (line) => line.textContent).join("\n")
}

/** Waits until the locator's text fits. The error says what was there instead. */
export async function expectText(where: Locator, wanted: string | RegExp): Promise<void> {
  const fits = (text: string) => (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text))
  const look = async () => {
    const text = await textIn(where)
    return fits(text) || text
  }
  await expect.poll(look).toBe(true)
}

/** Waits until the locator says exactly this. */
export async function expectSame(where: Locator, text: string): Promise<void> {
  await expect.poll(() => textIn(where)).toBe(text)
}

/** Waits until both say the same, whatever it is. */
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

/** Waits until exactly this is in the box. */
export async function expectWritten(room: Room, text: string): Promise<void> {
  await expect.poll(() => room.written()).toBe(text)
}

/** Everything it says, one space between words, or nothing when it is not there. */
export async function textIn(where: Locator): Promise<string> {
  return (await where.allInnerTexts()).join(" ").replace(/\s+/g, " ").trim()
}
