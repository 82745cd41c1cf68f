import { expect, test } from "vitest"
import { Registry } from "./registry.ts"

test("[OPS-10] counters, gauges and histograms are written in the text format of Prometheus", async () => {
  const registry = new Registry()
  const turns = registry.counter("turns_total", "Turns.")
  turns.add({ agent: 'a"b\\c\nd' })
  turns.add({ agent: 'a"b\\c\nd' }, 2)
  registry.gaugeOf("streams", "Streams.", () => 7)
  const seconds = registry.histogram("seconds", "Time.", [0.1, 1])
  for (const value of [0.05, 0.1, 0.5, 30]) seconds.observe(value)
  expect((await registry.text()).split("\n")).toEqual([
    "# HELP turns_total Turns.",
    "# TYPE turns_total counter",
    'turns_total{agent="a\\"b\\\\c\\nd"} 3',
    "# HELP streams Streams.",
    "# TYPE streams gauge",
    "streams 7",
    "# HELP seconds Time.",
    "# TYPE seconds histogram",
    'seconds_bucket{le="0.1"} 2',
    'seconds_bucket{le="1"} 3',
    'seconds_bucket{le="+Inf"} 4',
    "seconds_sum 30.65",
    "seconds_count 4",
    "",
  ])
})

test("[OPS-10] a reading that fails leaves its line out and no other", async () => {
  const registry = new Registry()
  registry.gaugeOf("broken", "Broken.", () => Promise.reject(new Error("down")))
  registry.gaugeOf("fine", "Fine.", () => 1)
  const text = await registry.text()
  expect(text).not.toMatch(/^broken /m)
  expect(text).toMatch(/^fine 1$/m)
})

test("[OPS-11] label sets are limited: the rest is counted as other, and nothing is lost", async () => {
  const registry = new Registry()
  const turns = registry.counter("turns_total", "Turns.")
  for (let number = 0; number < 5_000; number++) turns.add({ agent: `agent-${number}`, state: "done" })
  const lines = (await registry.text()).split("\n").filter((line) => line.startsWith("turns_total{"))
  expect(lines).toHaveLength(201)
  expect(lines).toContain('turns_total{agent="other",state="other"} 4800')
  turns.add({ agent: "agent-0", state: "done" })
  expect(await registry.text()).toContain('turns_total{agent="agent-0",state="done"} 2')
})
