import type { QueueRow } from "@parlor/protocol"
import { queuedWith } from "@parlor/protocol/testing"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { ParlorError } from "./error.ts"
import { EditLease, type EditLeaseParts } from "./lease.ts"

const EVERY_MS = 10_000
const row = queuedWith("msg_1", { version: 3, payload: { source: "as it was" } })
const refused = (code: ParlorError["code"]) => new ParlorError(code, "No.", { status: 409 })
const offline = new ParlorError("network", "Offline.", {})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A lease, and what was asked of the server. */
function hold(change: Partial<EditLeaseParts> = {}) {
  const asked: string[] = []
  const lease = new EditLease({
    ...{ row, holder: "tab", everyMs: EVERY_MS, signal: undefined },
    renew: async () => {
      asked.push("renew")
      return row
    },
    release: async () => void asked.push("release"),
    save: async ({ version, ...edit }) => {
      asked.push(`save ${JSON.stringify(edit)} of ${version}`)
      return { ...row, version: version + 1 }
    },
    ...change,
  })
  return { lease, asked }
}

describe("an edit lease", () => {
  test("[QUE-8] is renewed for as long as it is held, and not any more once it was released", async () => {
    const { lease, asked } = hold()
    await vi.advanceTimersByTimeAsync(EVERY_MS - 1)
    expect(asked).toEqual([])
    await vi.advanceTimersByTimeAsync(1 + EVERY_MS)
    expect(asked).toEqual(["renew", "renew"])
    await lease.release()
    await vi.advanceTimersByTimeAsync(5 * EVERY_MS)
    expect(asked).toEqual(["renew", "renew", "release"])
    expect(await lease.ended).toBeUndefined()
    expect([lease.row, lease.holder]).toEqual([row, "tab"])
  })

  test("[QUE-8] ends with the reason when the server refuses to renew it; then there is nothing to release", async () => {
    const gone = refused("message.not-queued")
    const { lease, asked } = hold({ renew: () => Promise.reject(gone) })
    await vi.advanceTimersByTimeAsync(EVERY_MS)
    expect(await lease.ended).toBe(gone)
    await lease.release()
    expect(asked).toEqual([])
  })

  test("[QUE-8] a fault while renewing is no refusal: it is tried again", async () => {
    const faults: unknown[] = [
      offline,
      new ParlorError("store.unavailable", "Down.", { status: 503 }),
      new Error("odd"),
    ]
    let renewed = 0
    const renew = async () => {
      renewed += 1
      if (faults.length > 0) throw faults.shift()
      return row
    }
    const { lease, asked } = hold({ renew })
    await vi.advanceTimersByTimeAsync(5 * EVERY_MS)
    expect(renewed).toBe(5)
    await lease.release()
    expect(asked).toEqual(["release"])
  })

  test("[QUE-8] ends without an error when its holder leaves", async () => {
    const leaving = new AbortController()
    const { lease, asked } = hold({ signal: leaving.signal })
    leaving.abort()
    expect(await lease.ended).toBeUndefined()
    await vi.advanceTimersByTimeAsync(5 * EVERY_MS)
    expect(asked).toEqual([])
  })

  test("[QUE-8] a message that started meanwhile needs no release; anything else is told", async () => {
    await hold({ release: () => Promise.reject(refused("message.not-queued")) }).lease.release()
    await expect(
      hold({ release: () => Promise.reject(refused("auth.forbidden")) }).lease.release(),
    ).rejects.toMatchObject({
      code: "auth.forbidden",
    })
    await expect(hold({ release: () => Promise.reject(new Error("odd")) }).lease.release()).rejects.toThrow("odd")
  })

  test("[QUE-7] saving goes by the text it was opened with: a move meanwhile does not matter, another text does", async () => {
    const now = (change: Partial<QueueRow>) => hold({ renew: async () => ({ ...row, ...change }) })
    const moved = now({ version: 7 })
    expect(await moved.lease.save({ text: "new" })).toMatchObject({ version: 8 })
    expect(moved.asked).toEqual(['save {"text":"new"} of 7'])
    const changed = now({ version: 7, payload: { source: "by somebody else" } })
    await changed.lease.save({ text: "new" })
    expect(changed.asked).toEqual(['save {"text":"new"} of 3'])
  })

  test("[QUE-7] an edit that is refused lets the message start again, and says why", async () => {
    const refusal = refused("message.changed")
    const failing = () => Promise.reject(refusal)
    const { lease, asked } = hold({ save: failing })
    await expect(lease.save({ text: "new" })).rejects.toBe(refusal)
    expect(asked).toEqual(["renew", "release"])
    await expect(hold({ save: failing, release: () => Promise.reject(new Error("odd")) }).lease.save({})).rejects.toBe(
      refusal,
    )
  })
})
