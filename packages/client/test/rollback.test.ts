/** Branches and rollbacks through the SDK: commands, the live view, and manual edits on a real disk. */
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { says } from "@parlor/core/testing"
import { newestRollback } from "@parlor/protocol"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Conversation, LiveConversation, LiveState } from "../src/index.ts"
import { openRoom, type Room, when } from "./room.ts"

let room: Room
let conversation: Conversation
let live: LiveConversation

beforeEach(async () => {
  room = await openRoom()
  conversation = room.parlor.conversation("host")
  live = conversation.live()
  for (const number of [1, 2]) {
    room.script(says(`a${number}`))
    await said(`q${number}`)
  }
})
afterEach(async () => {
  live.close()
  await room.close()
})

const isIdle = (state: LiveState) => state.connection === "live" && state.status?.state === "idle"

async function said(text: string, options: Parameters<LiveConversation["send"]>[1] = {}): Promise<void> {
  const { message } = await live.send(text, options)
  await when(live, (state) => isIdle(state) && state.messages.some((row) => row.id === message))
}

const shown = (state: LiveState) =>
  state.messages.map(({ parts, dimmed }) => {
    const text = parts.map((part) => ("text" in part ? part.text : "")).join("")
    return dimmed ? `(${text})` : text
  })

const idOf = (text: string): string =>
  live.getState().messages.find(({ parts }) => parts.some((part) => "text" in part && part.text === text))?.id ?? ""

describe("rollbacks", () => {
  it("[RBK-1] [RBK-6] every view sees them come and go, without reading anything again", async () => {
    const other = room.client().conversation("host").live()
    await when(other, isIdle)
    const { rollback } = await conversation.rollbacks.make(idOf("q1"))
    for (const view of [live, other]) await when(view, (state) => shown(state).join() === "q1,(a1),(q2),(a2)")
    expect(newestRollback(live.getState().rollbacks)?.id).toBe(rollback.id)
    await said("q3")
    const below = await conversation.rollbacks.cancel(rollback.id)
    await when(other, (state) => shown(state).join() === "q1,a1,q2,a2,(q3),(ok)")
    expect(newestRollback(other.getState().rollbacks)?.id).toBe(below.id)
    other.close()
  })

  it("[RBK-3] a message that is edited remembers what it was edited from", async () => {
    const q2 = idOf("q2")
    const { edited } = await conversation.rollbacks.make(q2, { edit: true })
    expect(edited).toMatchObject({ message: q2, text: "q2" })
    await said("q2, better", { editedFrom: q2 })
    expect(shown(live.getState())).toEqual(["q1", "a1", "(q2)", "(a2)", "q2, better", "ok"])
    expect(live.getState().messages.at(-2)?.editedFrom).toBe(q2)
  })

  it("[RBK-5] [RBK-7] a file edited by hand is a conflict in the preview, and its bytes come back with the cancel", async () => {
    await conversation.files.write("notes.txt", "as the agent left it")
    await said("q3")
    const path = join(folderIn(room.root), "notes.txt")
    writeFileSync(path, "edited by hand\n")
    writeFileSync(join(folderIn(room.root), "mine.bin"), Buffer.from([0, 255, 10, 13]))
    const { files } = await conversation.rollbacks.preview(idOf("q3"))
    expect(files).toEqual([
      { path: "mine.bin", change: "removed", conflict: true, diff: null },
      { path: "notes.txt", change: "restored", conflict: true, diff: expect.stringContaining("-edited by hand") },
    ])
    const { rollback } = await conversation.rollbacks.make(idOf("q3"))
    expect(readFileSync(path, "utf8")).toBe("as the agent left it")
    expect(readdirSync(folderIn(room.root))).toEqual(["notes.txt"])
    expect(rollback.files.map(({ path: name, conflict }) => [name, conflict])).toEqual([
      ["mine.bin", true],
      ["notes.txt", true],
    ])
    await conversation.rollbacks.cancel(rollback.id)
    expect(readFileSync(path, "utf8")).toBe("edited by hand\n")
    expect([...readFileSync(join(folderIn(room.root), "mine.bin"))]).toEqual([0, 255, 10, 13])
  })

  it("[RBK-7] what lay on disk before the message is left alone", async () => {
    await conversation.files.write("notes.txt", "1")
    const own = join(folderIn(room.root), "dataset.csv")
    writeFileSync(own, "a,b\n1,2\n")
    const before = new Date(Date.now() - 60_000)
    utimesSync(own, before, before)
    await said("q3")
    await conversation.files.write("notes.txt", "2")
    await conversation.rollbacks.make(idOf("q3"))
    expect(readFileSync(own, "utf8")).toBe("a,b\n1,2\n")
    expect(new TextDecoder().decode((await conversation.files.read("notes.txt")).bytes)).toBe("1")
  })
})

describe("branches", () => {
  it("[BRA-1] [BRA-4] are made, listed, merged and deleted", async () => {
    const place = await conversation.branches.make({ from: idOf("a1"), ephemeral: true })
    await when(live, (state) => state.branches.some(({ branch }) => branch === place.branch))
    const sidecar = room.parlor.conversation(place.agent, place.branch)
    const view = sidecar.live()
    await when(view, isIdle)
    room.script(says("on the side"))
    await view.send("a side question")
    await when(view, (state) => isIdle(state) && shown(state).at(-1) === "on the side")
    expect(shown(view.getState())).toEqual(["q1", "a1", "a side question", "on the side"])
    expect(await conversation.branches.list()).toMatchObject([{ branch: place.branch, ephemeral: true }])
    expect(await sidecar.branches.merge()).toMatchObject({ branch: "main", outcome: "merged" })
    await when(live, (state) => state.messages.at(-1)?.trigger?.source === "sidecar")
    view.close()
    await expect(conversation.delete()).rejects.toMatchObject({ code: "conversation.has-branches" })
    expect(await sidecar.branches.close()).toMatchObject({ kept: true })
    await sidecar.branches.keep()
    await when(live, (state) => state.branches[0]?.ephemeral === false)
    await sidecar.delete()
    await when(live, (state) => state.branches.length === 0)
  })

  it("[BRA-6] a parent goes with the branches that are named, whatever is in their names", async () => {
    for (const name of ["a, b", "100%", "a%2Cb"]) await conversation.branches.make({ from: idOf("q1"), name })
    await expect(conversation.delete({ branches: ["a, b", "100%"] })).rejects.toMatchObject({
      code: "conversation.has-branches",
    })
    await conversation.delete({ branches: ["a, b", "100%", "a%2Cb"] })
    expect((await room.parlor.conversations()).conversations).toEqual([])
  })
})

/** The one folder under root/person/agent. */
function folderIn(root: string): string {
  const only = (path: string): string => {
    const [name] = readdirSync(path).filter((entry) => !entry.startsWith("."))
    return join(path, name ?? "")
  }
  return only(only(only(root)))
}
