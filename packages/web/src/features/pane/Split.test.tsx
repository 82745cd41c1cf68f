import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { isGone } from "../branch/sidecarActs.ts"
import { LEAST, MOST, USUAL } from "../branch/sidePlace.ts"
import { Split } from "./Split.tsx"

it("[TAB-11] [TAB-12, TAB-27] what is beside is a part of its own, with a separator that keys reach", () => {
  const html = renderToStaticMarkup(<Split front={<p>front</p>} side={<p>beside</p>} />)
  expect(html).toMatch(/<main[^>]*><p>front<\/p><\/main>/)
  expect(html).toMatch(/<aside aria-label="Side chat"[^>]*><p>beside<\/p><\/aside>/)
  expect(html).toMatch(/role="separator" tabindex="0" aria-orientation="vertical"/)
  for (const value of [`aria-valuenow="${USUAL}"`, `aria-valuemin="${LEAST}"`, `aria-valuemax="${MOST}"`])
    expect(html).toContain(value)
})

it("[TAB-11] with nothing beside it the conversation has all the room", () => {
  const html = renderToStaticMarkup(<Split front={<p>front</p>} side={false} />)
  expect(html).not.toContain("<aside")
  expect(html).not.toContain("separator")
})

it("[BRA-4] one that is gone, or no sidecar any more, is left without a word; other refusals are told", () => {
  expect(["conversation.unknown", "branch.not-sidecar", "network"].map(isGone)).toEqual([true, true, false])
})
