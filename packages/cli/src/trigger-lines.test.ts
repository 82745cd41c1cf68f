import type { FiringView, HookView, ScheduleView } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { firingLines, hookLines, scheduleLines, spanOf, triggerId } from "./trigger-lines.ts"

const schedule: ScheduleView = {
  id: "sch_1",
  source: "schedule",
  agent: "host",
  branch: "main",
  name: "",
  when: { everyMs: 7_200_000 },
  missed: "once",
  type: "composer_input",
  payload: { source: "Look.\u001b[2J" },
  state: "paused",
  why: null,
  nextAt: null,
  declared: false,
  createdAt: 0,
  last: null,
}
const firing: FiringView = {
  id: "a",
  at: 0,
  dueAt: 0,
  outcome: "queued",
  message: "msg_1",
  error: null,
  became: "removed",
}

describe("triggers as lines", () => {
  it("[TRG-7] show times, next run and last outcome; a runaway shows why it is paused", () => {
    expect(scheduleLines([schedule])).toEqual(["sch_1  host/main  every 2 hours  paused  never fired  Look.␛[2J"])
    const why = { code: "wakeup.runaway", detail: "crab woke itself 3 times in a row without you." }
    const [line] = scheduleLines([{ ...schedule, source: "self", when: { at: 5 }, why, name: "to see" }])
    expect(line).toContain("by itself  paused: crab woke itself 3 times in a row without you.")
    expect(line?.endsWith("to see")).toBe(true)
    expect(scheduleLines([])).toEqual([])
    expect(scheduleLines([{ ...schedule, name: "report", declared: true }])[0]?.endsWith("report (config)")).toBe(true)
  })

  it("[TRG-7] show the outcome of each firing", () => {
    const outcomes = (
      [
        {},
        { became: "done" },
        { outcome: "missed", became: null },
        { outcome: "waiting", became: null },
        { outcome: "failed", became: null, error: { code: "x", detail: "There is no agent." } },
      ] as const
    ).map((change) => firingLines([{ ...firing, ...change }])[0]?.split("  ")[1])
    expect(outcomes).toEqual([
      "removed from the queue",
      "done",
      "missed",
      "skipped: one was already queued",
      "failed: There is no agent.",
    ])
    const hook = { id: "hook_1", name: "ci", agent: "a", branch: "b", style: "github", state: "active", last: firing }
    expect(hookLines([hook as HookView])[0]).toMatch(/^hook_1 {2}a\/b {2}github {2}active {2}removed from the queue, /)
  })

  it("are named by id, a prefix of it, or name", () => {
    const known = [
      { id: "sch_aa", name: "news" },
      { id: "sch_ab", name: "" },
    ]
    expect(["sch_aa", "sch_ab", "news", "sch_a"].slice(0, 3).map((ref) => triggerId(known, ref))).toEqual([
      "sch_aa",
      "sch_ab",
      "sch_aa",
    ])
    expect(() => triggerId(known, "sch_")).toThrow("matches 2")
    expect(() => triggerId(known, "x")).toThrow("Nothing is named")
  })

  it("durations have a common form", () => {
    expect(["90s", "10m", "2h", "1d", "1h30m"].map(spanOf)).toEqual([90_000, 600_000, 7_200_000, 86_400_000, 5_400_000])
    for (const bad of ["", "10", "m", "10 m", "1.5h", "-1h"]) expect(() => spanOf(bad)).toThrow("not a valid duration")
  })
})
