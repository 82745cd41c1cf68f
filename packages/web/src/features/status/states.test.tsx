import type { Connection } from "@parlor/client"
import fc from "fast-check"
import { renderToStaticMarkup } from "react-dom/server"
import { afterEach, describe, expect, it, vi } from "vitest"
import { t as problem } from "../../texts/en/problem.ts"
import { Alert } from "./Alert.tsx"
import { Countdown } from "./Countdown.tsx"
import { inWords } from "./inWords.ts"
import { LinkBar, LinkNote } from "./LinkBar.tsx"
import { fine, followLink, type Link } from "./link.ts"
import { noteOf, problemWords } from "./problemWords.ts"
import { RetryNote } from "./RetryNote.tsx"
import { StatusLine } from "./StatusLine.tsx"
import { statusWords } from "./statusWords.ts"

const html = renderToStaticMarkup
const HOSTILE = `<img src=x onerror="go()">`

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe("times in words", () => {
  const MINUTE = 60_000
  const HOUR = 60 * MINUTE

  it("are in the unit one would say, at each edge", () => {
    expect([1, 1_000, 99_001, 99 * MINUTE, 100 * MINUTE, 30 * HOUR].map(inWords)).toEqual([
      "in 1 s",
      "in 1 s",
      "in 2 min",
      "in 99 min",
      "in 2 h",
      "in 30 h",
    ])
  })

  it("never grow while the time to come grows shorter, and stay short", () => {
    const units: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600 }
    const seconds = (words: string) => {
      const [, count = "0", unit = "s"] = /(\d+) (\w+)$/.exec(words) ?? []
      return Number(count) * (units[unit] ?? Number.NaN)
    }
    const times = fc.integer({ min: -HOUR, max: 48 * HOUR })
    fc.assert(
      fc.property(times, times, (a, b) => {
        const [sooner, later] = [Math.min(a, b), Math.max(a, b)]
        expect(seconds(inWords(sooner))).toBeLessThanOrEqual(seconds(inWords(later)))
        expect(inWords(later).length).toBeLessThanOrEqual("in 99 min".length)
      }),
    )
  })

  it("[TAB-27] are not for screen readers, who would be told every second", () => {
    vi.useFakeTimers({ now: 70_000 })
    expect(html(<Countdown until={75_000} />)).toMatch(/^<span aria-hidden="true"[^>]*> in 5 s<\/span>$/)
  })
})

describe("what went wrong", () => {
  it("is told with the words of others as words", () => {
    const alert = html(<Alert note={{ code: "model.failed", detail: HOSTILE }} className="mt-2" />)
    expect(alert).toMatch(/^<p role="alert" class="[^"]* mt-2"><strong[^>]*>The model couldn&#x27;t answer\.<\/strong>/)
    const error = { code: "model.failed", detail: HOSTILE }
    const retry = html(<RetryNote status={{ attempt: null, retryAt: null, error }} />)
    for (const shown of [alert, retry]) {
      expect(shown).not.toContain("<img")
      expect(shown).toContain("&lt;img")
    }
  })

  it("[TRN-10] a retry of which little is known says the rest", () => {
    const shown = html(<RetryNote status={{ attempt: null, retryAt: null, error: null }} />)
    expect(shown).toContain("Retrying</p><p")
    expect(shown).not.toMatch(/attempt|null|undefined/)
  })

  it("whatever was thrown, there are words that end", () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ code: fc.constantFrom(...problem.keys) })), (thrown) => {
        const { title, detail } = problemWords(noteOf(thrown))
        expect(title).toMatch(/\w$/)
        expect(typeof detail).toBe("string")
        expect(detail).not.toMatch(/^\s|\s\.$/)
      }),
    )
    for (const code of problem.keys) {
      expect(problemWords({ code, detail: "" }).detail, code).toMatch(/^\S.*\.$/)
      expect(problemWords({ code, detail: "Why?" }).detail, code).not.toContain("?.")
    }
  })

  it("a line for a turn that failed has its color, and a long one does not push others away", () => {
    const error = { code: "model.failed", detail: "x" }
    const status = { state: "error", busyWith: null, held: null, attempt: null, retryAt: null, error } as const
    const words = statusWords("host", { status, connection: "live", queued: 0 })
    expect(html(<StatusLine words={words} />)).toMatch(
      /bg-bad.*truncate max-md:sr-only text-bad">The model couldn&#x27;t answer<\/span>/,
    )
    const busy = { ...status, state: "busy", busyWith: "rollback", error: null } as const
    expect(statusWords("host", { status: busy, connection: "live", queued: 3 })).toEqual({
      tone: "busy",
      text: "Rolling back…",
    })
    expect(html(<StatusLine words={{ tone: "calm", text: HOSTILE }} />)).not.toMatch(/<img|text-(bad|warn)/)
  })
})

describe("the note about the connection", () => {
  it("[TAB-13] is there for screen readers before it has words, and has room for a finger", () => {
    expect(html(<LinkBar />)).toBe(html(<LinkNote link={fine} />))
    const lost = html(<LinkNote link={{ state: "lost", isOnline: true, reconnectAt: null }} />)
    expect(lost).toMatch(/animate-soon.*text-warn.*<button type="button"[^>]*pointer-coarse:min-h-10[^>]*>Try now</)
    expect(html(<LinkNote link={{ state: "back", since: 0 }} />)).not.toMatch(/<button|text-warn|animate-soon/)
  })

  it("[TAB-13] whatever happens, a loss is told until it is over, with the next try, and is never just forgotten", () => {
    const connection = fc.constantFrom<Connection>("connecting", "live", "offline")
    const reconnectAt = fc.option(fc.integer({ min: 1, max: 9 }))
    const streams = fc.array(fc.record({ connection, reconnectAt }), { maxLength: 3 })
    const sights = fc.array(fc.record({ isOnline: fc.boolean(), streams }))
    fc.assert(
      fc.property(sights, (all) => {
        let before: Link = fine
        for (const [index, sight] of all.entries()) {
          const seen = { ...sight, at: index * 1_000 }
          const link = followLink(before, seen)
          expect(followLink(link, seen)).toBe(link)
          if (!sight.isOnline) expect(link).toMatchObject({ state: "lost", isOnline: false })
          if (before.state === "lost") expect(link.state).not.toBe("fine")
          const times = sight.streams.flatMap(({ reconnectAt: at }) => at ?? [])
          if (link.state === "lost") expect(link.reconnectAt).toBe(times.sort()[0] ?? null)
          if (before.state === "fine") expect(link.state).not.toBe("back")
          before = link
        }
      }),
    )
  })
})
