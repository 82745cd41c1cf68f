import { describe, expect, it } from "vitest"
import type { Keep } from "../keep/keep.ts"
import { editingIn, sendEdited } from "./editing.ts"

const forgetful = { read: () => undefined, write: () => undefined } as unknown as Keep

describe("a message that is edited and sent again", () => {
  it("[RBK-3] names what it was edited from; the next message does not", async () => {
    const editing = editingIn(forgetful)
    editing.write("crab/main", "msg_1")
    const named: (string | undefined)[] = []
    const send = (conversation: string) => sendEdited(editing, conversation, async (from) => named.push(from))
    await send("crab/other")
    await send("crab/main")
    await send("crab/main")
    expect(named).toEqual([undefined, "msg_1", undefined])
  })

  it("[RBK-3] is still that edit when it was refused", async () => {
    const editing = editingIn(forgetful)
    editing.write("crab/main", "msg_1")
    const refusal = new Error("Full.")
    await expect(sendEdited(editing, "crab/main", () => Promise.reject(refusal))).rejects.toBe(refusal)
    expect(await sendEdited(editing, "crab/main", async (from) => from)).toBe("msg_1")
  })
})
