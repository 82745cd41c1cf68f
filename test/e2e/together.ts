/** TAB-13: what one window or device shows, the others show within a second. */
import type { Page } from "playwright-core"
import { expect } from "vitest"

const WITHIN_MS = 1_000
const GIVEN_UP_MS = 20_000

/** What these elements say, or what this attribute of theirs does, one space between. */
export type Sight = { readonly of: string; readonly attribute?: string; readonly wanted: RegExp }

type Looking = {
  /** When it showed, or what was there instead. */
  shown: Promise<number | string>
}

/**
 * Counts from when it is done and the first of them shows it. Each page takes the time itself, by the one clock of the
 * machine: how long the test needs to ask them does not matter.
 */
export async function expectTogether(
  pages: readonly Page[],
  sight: Sight,
  act: () => Promise<unknown> | undefined,
): Promise<void> {
  for (const page of pages)
    expect(await page.evaluate(startLooking, { ...sight, givenUpMs: GIVEN_UP_MS })).not.toMatch(sight.wanted)
  await act()
  const done = Date.now()
  const shown = await Promise.all(pages.map((page) => page.evaluate(() => (globalThis as unknown as Looking).shown)))
  expect(shown, `each is to show ${sight.wanted}`).toEqual(pages.map(() => expect.any(Number)))
  const times = shown.map(Number)
  const first = Math.max(Math.min(...times), done)
  expect(Math.max(...times) - first, "the last is so much later than the first").toBeLessThanOrEqual(WITHIN_MS)
}

/** Runs in the page. Tells what is there now. */
function startLooking(sight: Sight & { readonly givenUpMs: number }): string {
  const { of, attribute, wanted, givenUpMs } = sight
  const says = () =>
    Array.from(document.querySelectorAll<HTMLElement>(of), (element) =>
      attribute === undefined ? element.innerText : element.getAttribute(attribute),
    )
      .join(" ")
      .replace(/\s+/g, " ")
      .trim()
  const shown = new Promise<number | string>((resolve) => {
    const watch = new MutationObserver(() => {
      if (!wanted.test(says())) return
      watch.disconnect()
      resolve(Date.now())
    })
    watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    setTimeout(() => resolve(says()), givenUpMs)
  })
  Object.assign(globalThis, { shown } satisfies Looking)
  return says()
}
