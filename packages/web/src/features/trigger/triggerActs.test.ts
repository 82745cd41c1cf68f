import type { Parlor } from "@parlor/client"
import { expect, it } from "vitest"
import type { Item } from "./triggerView.ts"
import { triggerActs } from "./useTriggers.ts"

function stage() {
  const did: string[] = []
  const of = (kind: string) =>
    Object.fromEntries(
      ["pause", "resume", "fire", "delete"].map((name) => [
        name,
        async (id: string) => void did.push(`${kind} ${name} ${id}`),
      ]),
    )
  const open = async () => ({ firings: [{ id: "f" }] })
  const parlor = {
    schedules: { ...of("schedule"), open },
    hooks: { ...of("hook"), open },
    notices: {
      ...of("notice"),
      open,
      test: async (id: string) => ({ error: id === "bad" ? { code: "notice.failed", detail: "Refused." } : null }),
    },
  } as unknown as Parlor
  const refused: unknown[] = []
  const act = async (work: () => Promise<unknown>) => {
    try {
      await work()
      return true
    } catch (error) {
      refused.push(error)
      return false
    }
  }
  return { did, refused, acts: triggerActs(parlor, act) }
}

const item = (change: Partial<Item>): Item => ({
  kind: "schedule",
  id: "1",
  title: "",
  what: "",
  state: "",
  paused: false,
  isOver: false,
  isDeclared: false,
  last: null,
  ...change,
})
const settled = () => new Promise((resolve) => setTimeout(resolve))

it("[TRG-7] each kind is paused, resumed, fired and deleted where it lives", async () => {
  const { did, acts } = stage()
  acts.pause(item({}))
  acts.pause(item({ kind: "hook", paused: true }))
  acts.fire(item({}))
  acts.fire(item({ kind: "hook", id: "2" }))
  acts.remove(item({ kind: "notice", id: "3" }))
  await settled()
  expect(did).toEqual(["schedule pause 1", "hook resume 1", "schedule fire 1", "hook fire 2", "notice delete 3"])
  expect(await acts.firings(item({ kind: "notice" }))).toEqual([{ id: "f" }])
})

it("[TRG-9] firing a notice tries it once, and tells why when it was not delivered", async () => {
  const { refused, acts } = stage()
  acts.fire(item({ kind: "notice", id: "good" }))
  acts.fire(item({ kind: "notice", id: "bad" }))
  await settled()
  expect(refused).toMatchObject([{ code: "notice.failed", message: "Refused." }])
})
