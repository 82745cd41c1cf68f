/** TAB-13: a change in one window or device shows in the others within a second. */
import type { Page } from "playwright-core"
import { expect } from "vitest"

const WITHIN_MS = 1_000
const GIVEN_UP_MS = 20_000

/** The texts of these elements, or the values of this attribute, joined with spaces. */
export type Sight = { readonly of: string; readonly attribute?: string; readonly wanted: RegExp }

type Looking = {
  /** The time at which it showed, or what was shown instead. */
  shown: Promise<number | string>
}

/**
 * Measures from when the action is done and the first page shows it. Each page takes the time itself with the machine's clock, so the
 * time the test needs to query the pages does not matter.
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
  expect(shown, `each page must show ${sight.wanted}`).toEqual(pages.map(() => expect.any(Number)))
  const times = shown.map(Number)
  const first = Math.max(Math.min(...times), done)
  expect(Math.max(...times) - first, "delay of the last page after the first").toBeLessThanOrEqual(WITHIN_MS)
}

/** Runs in the page. Returns what is shown now. */
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
