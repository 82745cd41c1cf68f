import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { elapsedWords } from "./Elapsed.tsx"
import { LinkNote } from "./LinkBar.tsx"
import { BACK_MS, fine, followLink, type Link, linkWords, type Sight } from "./link.ts"

const whole: Sight = { isOnline: true, connections: ["live", "live"], at: 1_000 }
const after = (...sights: readonly Partial<Sight>[]) =>
  sights.reduce<Link>((link, sight) => followLink(link, { ...whole, ...sight }), fine)

describe("the page's connection", () => {
  it("[TAB-13] is fine while it begins and while it lives, and nothing is said", () => {
    expect(after({ connections: [] }, { connections: ["connecting"] }, {})).toBe(fine)
    expect(linkWords(fine)).toBeUndefined()
  })

  it("[TAB-13] is lost when any stream is, or the machine has no network", () => {
    expect(after({ connections: ["live", "offline"] })).toEqual({ state: "lost", isOnline: true, since: 1_000 })
    expect(after({ isOnline: false })).toMatchObject({ state: "lost", isOnline: false })
    const lost = after({ connections: ["offline"] })
    expect(followLink(lost, { ...whole, connections: ["offline"], at: 9_000 })).toBe(lost)
    expect(followLink(lost, { ...whole, isOnline: false, at: 9_000 })).toMatchObject({ isOnline: false, since: 1_000 })
  })

  it("[TAB-13] stays lost until every stream lives, then says so for a moment", () => {
    const lost = after({ connections: ["offline", "offline"] })
    expect(followLink(lost, { ...whole, connections: ["live", "connecting"] })).toBe(lost)
    expect(followLink(lost, { ...whole, connections: [] })).toBe(lost)
    const back = followLink(lost, { ...whole, at: 5_000 })
    expect(back).toEqual({ state: "back", since: 5_000 })
    expect(followLink(back, { ...whole, at: 5_000 + BACK_MS - 1 })).toBe(back)
    expect(followLink(back, { ...whole, at: 5_000 + BACK_MS })).toBe(fine)
    expect(followLink(back, { ...whole, connections: ["offline"], at: 5_100 }).state).toBe("lost")
  })

  it("[TAB-13] is told in words that say what becomes of what one writes", () => {
    const shown = (link: Link) => renderToStaticMarkup(<LinkNote link={link} />)
    expect(shown({ state: "lost", isOnline: false, since: 0 })).toMatch(/You are offline\..*is kept and goes out/)
    expect(shown({ state: "lost", isOnline: false, since: 0 })).not.toContain("Try now")
    expect(shown({ state: "lost", isOnline: true, since: 0 })).toMatch(/Parlor cannot be reached\..*Try now/)
    expect(shown({ state: "back", since: 0 })).toContain("Back online")
    expect(shown(fine)).toMatch(/^<div role="status" aria-label="Connection"[^>]*><\/div>$/)
  })

  it("says how long it has been, once that is worth it", () => {
    expect([4_999, 5_000, 99_900, 120_000].map(elapsedWords)).toEqual(["", " 5 s", " 99 s", " 2 min"])
  })
})
