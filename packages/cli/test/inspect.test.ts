import type { InspectedTurn } from "@parlor/protocol"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { startParlor, type TestParlor } from "./parlor.ts"

// Every command is a separate process: generous timeouts for slow CI.
vi.setConfig({ testTimeout: 90_000 })

let parlor: TestParlor
beforeAll(async () => {
  parlor = await startParlor()
})
afterAll(() => parlor.close())

test("[LOG-15] parlor inspect lists turns, shows one, and prints its prompt", async () => {
  expect(await parlor.run(["inspect"])).toMatchObject({
    code: 0,
    out: "",
    err: expect.stringContaining("There are no turns yet"),
  })
  await parlor.run(["send", "hello there"])
  const listed = await parlor.run(["inspect", "host"])
  expect(listed).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^trn_\S+ .* done, .* 1 step, .* hello there\n$/),
  })
  const shown = await parlor.run(["inspect", "host", "last"])
  expect(shown.out).toMatch(/step 1: demo.*Changes.*turn began.*turn done/s)
  const prompt = await parlor.run(["inspect", "host", "last", "--prompt", "1"])
  expect(prompt.out).toMatch(/^Prompt of step 1, exactly as sent.*── person\n.*hello there.*── tools \(\d+\)/s)
  const { out } = await parlor.run(["inspect", "host", "last", "--json"])
  const whole = JSON.parse(out) as InspectedTurn
  expect(whole.steps).toMatchObject([{ prompt: { state: "exact" } }])
  const [id] = listed.out.split(" ")
  expect(whole.turn.id).toBe(id)
  expect(await parlor.run(["inspect", "host", "trn_none"])).toMatchObject({
    code: 5,
    err: expect.stringContaining("no turn"),
  })
  for (const step of ["9", "x"])
    expect((await parlor.run(["inspect", "host", "last", "--prompt", step])).code, step).toBe(2)
})
