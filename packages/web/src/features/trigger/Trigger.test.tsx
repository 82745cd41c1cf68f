import type { FiringView, HookView, NoticeView, ScheduleView } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { FiringList } from "./Firings.tsx"
import { TriggerList } from "./TriggerList.tsx"
import { emptySchedule, hookItem, type Item, noticeItem, scheduleItem, scheduleOf, untilWords } from "./triggerView.ts"

const never = () => {
  throw new Error("nobody pressed anything")
}
const acts = { pause: never, fire: never, remove: never, firings: never }
const listed = (items: readonly Item[] | undefined) => renderToStaticMarkup(<TriggerList items={items} acts={acts} />)

const fired: FiringView = {
  id: "a",
  at: 0,
  dueAt: 0,
  outcome: "started",
  message: "msg_1",
  error: null,
  became: "done",
}

function schedule(change: Partial<ScheduleView> = {}): ScheduleView {
  const usual = { source: "schedule", agent: "host", branch: "main", name: "News", missed: "once" } as const
  const said = { type: "composer_input", payload: { source: "Look." } }
  const state = { state: "active", why: null, nextAt: 5, declared: false, createdAt: 0, last: null } as const
  return { id: "sch_1", when: { everyMs: 3_600_000 }, ...usual, ...said, ...state, ...change }
}

describe("the page of triggers", () => {
  it("[TRG-7] lists each kind with what is next and what came of the last, and what one can do", () => {
    const hook = {
      id: "hook_1",
      agent: "host",
      branch: "main",
      name: "CI",
      style: "standard",
      template: "x",
      type: null,
    }
    const html = listed([
      scheduleItem(schedule({ last: fired })),
      hookItem({
        ...hook,
        perMinute: 60,
        state: "paused",
        url: "http://x/hooks/1",
        declared: false,
        createdAt: 0,
        last: null,
      } as HookView),
      noticeItem({
        id: "n",
        name: "",
        url: "https://x/n",
        events: ["ask.opened"],
        state: "active",
        why: null,
        last: null,
      } as unknown as NoticeView),
    ])
    for (const words of ["every hour", "next ", "done", "Standard Webhooks", "paused", "ask.opened to https://x/n"])
      expect(html).toContain(words)
    for (const label of ["News is on", "Fire News now", "Delete News", "CI is on"])
      expect(html).toContain(`aria-label="${label}"`)
  })

  it("[TRG-12] one of the config says so, and can be paused and fired but not deleted", () => {
    const html = listed([scheduleItem(schedule({ declared: true }))])
    expect(html).toContain("from the config")
    expect(html).toContain('aria-label="News is on"')
    expect(html).not.toContain('aria-label="Delete News"')
  })

  it("[TRG-8] a runaway says why it is paused; one that is over can only be deleted", () => {
    const why = { code: "wakeup.runaway", detail: "crab woke itself 3 times in a row without you." }
    const html = listed([
      scheduleItem(schedule({ source: "self", state: "paused", why })),
      scheduleItem(schedule({ id: "sch_2", name: "Over", state: "done", nextAt: null })),
    ])
    expect(html).toContain("set by the agent · paused: crab woke itself 3 times in a row without you.")
    expect(html).not.toContain('aria-label="Over is on"')
    expect(html).toContain('aria-label="Delete Over"')
  })

  it("[TRG-7] says how long it is until the next firing", () => {
    const minutes = (count: number) => untilWords(count * 60_000, 0)
    expect([0, 1, 89, 90, 47 * 60, 72 * 60].map(minutes)).toEqual([
      "any moment",
      "in 1 min",
      "in 89 min",
      "in 2 h",
      "in 47 h",
      "in 3 days",
    ])
    expect(untilWords(0, 60_000)).toBe("any moment")
  })

  it("says what each is for when there is none, and that it is still looking", () => {
    expect(listed([])).toContain("No schedules")
    expect(listed(undefined)).toContain("Loading")
    expect(renderToStaticMarkup(<FiringList firings={[]} />)).toContain("Not fired yet")
  })

  it("[SEC-6] names, texts and reasons are text, whatever they hold", () => {
    const evil = "<img src=x onerror=alert(1)>"
    const error = { code: "x", detail: evil }
    const last = { ...fired, outcome: "failed", error } as const
    const html = listed([scheduleItem(schedule({ name: evil, why: error, state: "paused", last }))])
    expect(html).not.toContain("<img")
    expect(renderToStaticMarkup(<FiringList firings={[last]} />)).not.toContain("<img")
  })

  it("[TRG-3] what is typed becomes a schedule, or says what is missing", () => {
    const of = (change: Partial<typeof emptySchedule>) =>
      scheduleOf({ ...emptySchedule, text: "Look.", ...change }, "crab", "Europe/Berlin")
    expect(of({ text: " " })).toEqual({ wrong: "Enter a message for the agent." })
    expect(of({ kind: "every", every: "x" })).toEqual({ wrong: "Enter the number of minutes." })
    expect(of({ kind: "at" })).toEqual({ wrong: "Choose a time." })
    const usual = { agent: "crab", text: "Look.", missed: "once" }
    expect(of({})).toEqual({ body: { ...usual, when: { cron: "0 9 * * 1-5", timeZone: "Europe/Berlin" } } })
    expect(of({ kind: "every", every: "1.5" })).toEqual({ body: { ...usual, when: { everyMs: 90_000 } } })
    expect(of({ kind: "at", at: "2026-01-01T09:00" })).toEqual({
      body: { ...usual, when: { at: new Date("2026-01-01T09:00").getTime() } },
    })
  })
})
