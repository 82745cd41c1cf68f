import type { HookView, NoticeView, ScheduleView } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  emptySchedule,
  hookItem,
  noticeItem,
  repeatWords,
  type ScheduleDraft,
  scheduleItem,
  scheduleOf,
  untilWords,
} from "./triggerView.ts"

const schedule = (change: Partial<ScheduleView>): ScheduleView => ({
  id: "sch_1",
  source: "schedule",
  agent: "host",
  branch: "main",
  name: "",
  when: { everyMs: 60_000 },
  missed: "once",
  type: "composer_input",
  payload: { source: "Look at the news." },
  state: "active",
  why: null,
  nextAt: null,
  declared: false,
  createdAt: 0,
  last: null,
  ...change,
})
const hook = (change: Partial<HookView>) =>
  ({
    id: "hook_1",
    agent: "host",
    branch: "main",
    name: "",
    style: "standard",
    template: "The build says {{body.status}}.",
    type: null,
    state: "active",
    url: "http://x/hooks/1",
    last: null,
    ...change,
  }) as HookView
const notice = (change: Partial<NoticeView>) =>
  ({
    id: "ntc_1",
    name: "",
    url: "https://x/n",
    events: ["ask.opened"],
    state: "active",
    why: null,
    last: null,
    ...change,
  }) as NoticeView

describe("a trigger in words", () => {
  it("[TRG-7] is called by its name, else by what it says or where it goes", () => {
    expect(scheduleItem(schedule({ name: "News" })).title).toBe("News")
    expect(scheduleItem(schedule({})).title).toBe("Look at the news.")
    expect(scheduleItem(schedule({ type: "deploy", payload: { to: "live" } })).title).toBe('{"to":"live"}')
    expect(scheduleItem(schedule({ payload: null })).title).toBe("null")
    expect(hookItem(hook({})).title).toBe("The build says {{body.status}}.")
    expect(hookItem(hook({ template: null, type: "deploy" })).title).toBe("Messages of type deploy")
    expect([noticeItem(notice({})).title, noticeItem(notice({ name: "Pager" })).title]).toEqual([
      "https://x/n",
      "Pager",
    ])
  })

  it("[TRG-7] says its state: what is next, paused, over, and why it paused itself", () => {
    expect(scheduleItem(schedule({ nextAt: 5 })).state).toMatch(/^next .*, any moment$/)
    const elsewhere = { cron: "0 8 * * 1-5", timeZone: "Antarctica/Troll" }
    expect(scheduleItem(schedule({ nextAt: 5, when: elsewhere })).state).toMatch(/^next .* your time, any moment$/)
    expect(scheduleItem(schedule({ nextAt: 5, state: "paused" }))).toMatchObject({ state: "paused", paused: true })
    expect(scheduleItem(schedule({ state: "done" }))).toMatchObject({ state: "done", isOver: true, paused: false })
    const why = { code: "notice.failed", detail: "Nobody answered for a day." }
    expect(noticeItem(notice({ state: "paused", why }))).toMatchObject({
      state: "paused: Nobody answered for a day.",
      paused: true,
    })
  })

  it("[TRG-5] [TRG-8] says how a webhook is signed, and which wakeup an agent made itself", () => {
    expect(hookItem(hook({ style: "github" })).what).toBe("host, GitHub signature, http://x/hooks/1")
    expect(hookItem(hook({})).what).toContain("Standard Webhooks")
    expect(scheduleItem(schedule({ source: "self" })).what).toBe("host, every minute, set by the agent")
    expect(scheduleItem(schedule({})).what).not.toContain("by itself")
    expect(noticeItem(notice({ events: ["ask.opened", "turn.finished"] })).what).toBe(
      "ask.opened, turn.finished to https://x/n",
    )
  })

  it("[TRG-7] the time until then is never long past, and never shorter for what is later", () => {
    const length = (words: string) => {
      const [, count = "0", unit] = /in (\d+) (\w+)/.exec(words) ?? []
      return Number(count) * (unit === "days" ? 1_440 : unit === "h" ? 60 : 1)
    }
    const time = fc.integer({ min: -1e9, max: 1e10 })
    fc.assert(
      fc.property(time, time, (one, other) => {
        const [sooner, later] = [Math.min(one, other), Math.max(one, other)].map((at) => length(untilWords(at, 0)))
        expect(sooner).toBeLessThanOrEqual(later ?? -1)
      }),
    )
  })
})

describe("a schedule that is typed", () => {
  const made = (change: Partial<ScheduleDraft>) =>
    scheduleOf({ ...emptySchedule, text: "Look.", ...change }, "crab", "UTC")

  it("[TRG-3] is sent as it was meant, whatever the numbers, or says what is missing", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String)), (every) => {
        const one = made({ kind: "every", every })
        const minutes = Number(every)
        if ("wrong" in one) expect(minutes > 0 && Number.isFinite(minutes)).toBe(false)
        else expect(one.body.when).toEqual({ everyMs: Math.round(minutes * 60_000) })
      }),
    )
  })

  it("[TRG-3] says what becomes of what was missed, and only what the chosen kind needs", () => {
    expect(made({ missed: "all", every: "no number", at: "no time" })).toMatchObject({
      body: { missed: "all", when: { cron: "0 9 * * 1-5", timeZone: "UTC" } },
    })
    expect(made({ kind: "at", at: "2026-01-01T09:00", every: "no number" })).toHaveProperty("body.when.at")
    expect(made({ kind: "at", at: "soon" })).toEqual({ wrong: "Choose a time." })
  })
})

describe("[TAB-39] a schedule as people say it", () => {
  const draft = (change: Partial<ScheduleDraft>) => ({ ...emptySchedule, text: "Hello", ...change })
  const when = (change: Partial<ScheduleDraft>) => scheduleOf(draft(change), "host", "Europe/Berlin")
  it.each([
    [{}, "0 9 * * 1-5", "Every weekday at 09:00, your time"],
    [{ kind: "days", time: "18:30" }, "30 18 * * *", "Every day at 18:30, your time"],
    [{ kind: "weeks", weekday: "0" }, "0 9 * * 0", "Every Sunday at 09:00, your time"],
    [{ kind: "months", day: "15" }, "0 9 15 * *", "On day 15 of every month at 09:00, your time"],
  ] as const)("%j", (change, cron, words) => {
    expect(when(change)).toMatchObject({ body: { when: { cron, timeZone: "Europe/Berlin" } } })
    expect(repeatWords(draft(change))).toBe(words)
  })

  it("needs a time; the cron pattern is still there for those who know it", () => {
    expect(when({ time: "" })).toEqual({ wrong: "Choose a time of day." })
    expect(when({ kind: "cron", cron: "*/5 * * * *" })).toMatchObject({ body: { when: { cron: "*/5 * * * *" } } })
    expect(repeatWords(draft({ kind: "cron" }))).toBe("")
  })
})
