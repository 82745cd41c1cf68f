import { describe, expect, test, vi } from "vitest"
import type { Announced } from "../log/log-access.ts"
import type { Push, PushSender } from "../ports/pushes.ts"
import { FakeClock } from "../testing/fake-clock.ts"
import { MemoryStore } from "../testing/memory-store.ts"
import { testSeal } from "../testing/test-seal.ts"
import type { PushAccess } from "./push-access.ts"
import { pushKeys } from "./push-keys.ts"
import { Pusher } from "./pusher.ts"

/** A sender whose pushes end when the test says so. */
async function opened() {
  const sent: { readonly push: Push; readonly end: () => void }[] = []
  const sender: PushSender = {
    makeKeys: () => ({ publicKey: "public", privateKey: "private" }),
    idOf: ({ endpoint }) => endpoint,
    topicOf: (name) => name,
    defect: () => undefined,
    send: (push) => new Promise((resolve) => void sent.push({ push, end: () => resolve({ kind: "sent" }) })),
  }
  const clock = new FakeClock()
  const store = new MemoryStore(clock)
  const warn = vi.fn()
  const node = { store, clock, feeds: new Map(), log: { warn } } as unknown as PushAccess
  const parts = { seal: testSeal, sender }
  const { publicKey: serverKey } = await pushKeys(node, parts)
  const subscribe = (person: string) =>
    store.pushes.put(
      {
        ...{ id: person, person, endpoint: person, p256dh: "", auth: "", serverKey },
        ...{ device: "", showsText: false, keyHash: null, seenAt: 1 },
      },
      5,
    )
  return { pusher: new Pusher(node, parts), sent, subscribe, warn }
}

const done = (person: string, branch: string, turn = "turn_1") =>
  ({
    person,
    row: { agent: "host", branch, title: "", ephemeral: false },
    news: { event: "turn.finished", turn, message: "msg_1", state: "done", said: "" },
    isWatched: false,
  }) as unknown as Announced

const topics = (sent: readonly { readonly push: Push }[]) => sent.map(({ push }) => `${push.to.endpoint} ${push.topic}`)

describe("the queue of pushes", () => {
  test("[APP-10] people take turns: one whose devices are slow delays nobody else", async () => {
    const { pusher, sent, subscribe } = await opened()
    for (const person of ["ana", "bob"]) await subscribe(person)
    for (const branch of ["a", "b", "c"]) pusher.announce(done("ana", branch))
    pusher.announce(done("bob", "x"))
    await vi.waitFor(() => expect(topics(sent)).toEqual(["ana host/a", "bob host/x"]))
    sent[0]?.end()
    await vi.waitFor(() => expect(topics(sent)).toEqual(["ana host/a", "bob host/x", "ana host/b"]))
  })

  test("[APP-10] what waits is limited: the newest of a conversation, and the newest conversations", async () => {
    const { pusher, sent, subscribe, warn } = await opened()
    await subscribe("ana")
    pusher.announce(done("ana", "first"))
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    for (let at = 0; at < 30; at++) pusher.announce(done("ana", `talk-${at}`))
    pusher.announce(done("ana", "talk-29", "turn_2"))
    for (let at = 0; at < 20; at++) {
      sent.at(-1)?.end()
      await vi.waitFor(() => expect(sent).toHaveLength(at + 2))
    }
    sent.at(-1)?.end()
    expect(topics(sent).slice(1)).toEqual(Array.from({ length: 20 }, (_, at) => `ana host/talk-${at + 10}`))
    expect(sent.at(-1)?.push.body).toContain("turn_2 done")
    await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(expect.stringMatching(/dropped/), { dropped: 10 }))
  })

  test("[APP-10] nothing is sent to a person without devices, nor after the end", async () => {
    const { pusher, sent, subscribe } = await opened()
    await subscribe("ana")
    pusher.announce(done("bob", "x"))
    pusher.announce(done("ana", "a"))
    await vi.waitFor(() => expect(topics(sent)).toEqual(["ana host/a"]))
    pusher.announce(done("ana", "b"))
    pusher.stop()
    pusher.announce(done("ana", "c"))
    sent[0]?.end()
    await new Promise(setImmediate)
    expect(topics(sent)).toEqual(["ana host/a"])
  })
})
