/** The tabs of the page: creates conversations, reads what tabs show and what the browser stores of them. */
import type { Locator, Page, Route } from "playwright-core"
import { expect } from "vitest"
import type { TestParlor } from "./parlor.ts"

export async function fill(parlor: TestParlor, branch: string, about: string, count = 40): Promise<void> {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ role: index % 2 === 0 ? "person" : "agent", text: `${about} ${index + 1}` }),
  )
  await parlor.sdk.importLines("host", branch, lines.join("\n"))
}

export function tab(page: Page, branch: string): Locator {
  return page.locator(`[data-tab="host/${branch}"]`)
}

export function capsule(page: Page, branch: string, kind: string): Locator {
  return tab(page, branch).locator(`[data-capsule="${kind}"]`)
}

export function staleLine(page: Page): Locator {
  return page.locator('[data-stale="true"]')
}

export async function expectState(page: Page, branch: string, state: string): Promise<void> {
  await expect.poll(() => tab(page, branch).getAttribute("data-state")).toBe(state)
}

/** Holds back the server's responses for this conversation, or for a matching URL, until they are released. */
export async function heldBack(
  page: Page,
  what: string | ((url: URL) => boolean),
): Promise<{ letGo(): Promise<void> }> {
  const waiting: Route[] = []
  const address = typeof what === "string" ? (url: URL) => url.pathname === `/v1/conversations/host/${what}` : what
  const hold = (route: Route) => void waiting.push(route)
  await page.route(address, hold)
  return {
    async letGo() {
      await page.unroute(address, hold)
      // A request that the page has aborted cannot be answered.
      await Promise.all(waiting.map((route) => route.continue().catch(() => undefined)))
    },
  }
}

export async function unreadOf(parlor: TestParlor, branch: string): Promise<boolean | undefined> {
  const { conversations } = await parlor.sdk.conversations()
  return conversations.find((row) => row.branch === branch)?.unread
}

/** The number of conversations with a snapshot in the browser. */
export async function keptInBrowser(page: Page, count: number): Promise<void> {
  const look = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve, reject) => {
          const opening = indexedDB.open("parlor")
          opening.onerror = () => reject(opening.error)
          opening.onsuccess = () => {
            const counting = opening.result.transaction("snapshots").objectStore("snapshots").count()
            counting.onsuccess = () => {
              opening.result.close()
              resolve(counting.result)
            }
          }
        }),
    )
  await expect.poll(look).toBe(count)
}
