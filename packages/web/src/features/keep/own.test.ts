import { Parlor } from "@parlor/client"
import { expect, it } from "vitest"
import { ownBusyModes } from "../composer/busyMode.ts"
import { ownDrafts } from "../draft/draft.ts"
import { ownFileDrafts } from "../files/fileDrafts.ts"
import { ownEditing } from "../rollback/editing.ts"
import { ownPlaces } from "../tab/places.ts"
import { storageIn } from "./fixtures.ts"
import { type Own, ownIn } from "./own.ts"

const WORDS = "for my eyes"

function partsOf(own: Own) {
  return {
    keep: own.keep,
    outbox: own.outbox,
    drafts: own.part(ownDrafts),
    editing: own.part(ownEditing),
    busyModes: own.part(ownBusyModes),
    fileDrafts: own.part(ownFileDrafts),
    places: own.part(ownPlaces),
  }
}

/** Everything a person can leave behind in a browser. */
function writeAll(own: Own): void {
  const { drafts, editing, busyModes, fileDrafts, places, keep, outbox } = partsOf(own)
  drafts.write("host/main", { source: WORDS })
  editing.write("host/main", "msg_1")
  busyModes.write("host/main", "steer")
  fileDrafts.write("host/main", "a.txt", { text: WORDS, hash: "h" })
  places.write("host/main", { message: "msg_1", topPx: 3, back: 4, seen: 5 })
  keep.write("palette", "host/main")
  outbox?.setItem("parlor.outbox x", WORDS)
}

function readAll(own: Own) {
  const { drafts, editing, busyModes, fileDrafts, places, keep, outbox } = partsOf(own)
  return {
    draft: drafts.read("host/main").source,
    editing: editing.read("host/main"),
    mode: busyModes.read("host/main"),
    file: fileDrafts.read("host/main", "a.txt")?.text,
    place: places.read("host/main")?.message,
    recent: keep.read("palette"),
    send: outbox?.getItem("parlor.outbox x"),
  }
}

const nothing = {
  draft: "",
  editing: undefined,
  mode: "queue",
  file: undefined,
  place: undefined,
  recent: undefined,
  send: null,
}

it("[SEC-2, TAB-10] what one person writes is there for them after a reload, and for nobody else", () => {
  const [browser, window] = [storageIn(), storageIn()]
  const person = (name: string) => ownIn(name, browser.storage, window.storage)
  writeAll(person("ann"))
  const written = readAll(person("ann"))
  expect(written).toEqual({
    draft: WORDS,
    editing: "msg_1",
    mode: "steer",
    file: WORDS,
    place: "msg_1",
    recent: "host/main",
    send: WORDS,
  })
  expect(readAll(person("bob"))).toEqual(nothing)
  writeAll(person("bob"))
  person("bob").forget()
  expect(readAll(person("ann"))).toEqual(written)
})

const unsent = (own: Own) => own.part(ownDrafts).written(own.names())

it("[SEC-37] tells where something is written and not sent, in this window or another, of this person only", () => {
  const [browser, window] = [storageIn(), storageIn()]
  const ann = ownIn("ann", browser.storage, window.storage)
  expect(unsent(ann)).toEqual([])
  ann.part(ownDrafts).write("host/main", { source: WORDS })
  ownIn("ann", browser.storage, storageIn().storage).part(ownDrafts).write("critic/main", { source: WORDS })
  ownIn("bob", browser.storage, window.storage).part(ownDrafts).write("scribe/main", { source: WORDS })
  expect(unsent(ann)).toEqual(["critic/main", "host/main"])
  ann.part(ownDrafts).write("host/main", { source: "" })
  expect(unsent(ann)).toEqual(["critic/main"])
  expect(unsent(ownIn("ann", browser.storage, window.storage))).toEqual(["critic/main"])
})

it("[SEC-2] nothing of a person stays in the browser or the window once they have left, nor comes back late", () => {
  const [browser, window] = [storageIn({ "parlor.theme": "dark" }), storageIn()]
  const own = ownIn("ann", browser.storage, window.storage)
  writeAll(own)
  expect(window.items.size).toBeGreaterThan(0)
  own.forget()
  own.part(ownDrafts).give("host/main", "A send that was refused late")
  expect([[...browser.items], window.items.size]).toEqual([[["parlor.theme", "dark"]], 0])
})

it("[SEC-2] what stood there before it was known whose it is goes, and is nobody's", () => {
  const browser = storageIn({ "parlor.composer.host/main": JSON.stringify({ source: WORDS }) })
  const window = storageIn({ "parlor.composer.host/main": JSON.stringify({ source: WORDS }) })
  expect(readAll(ownIn("ann", browser.storage, window.storage))).toEqual(nothing)
  expect([browser.items.size, window.items.size]).toEqual([0, 0])
})

it("[SEC-2] a message that one person could not deliver is not sent in the name of the next", async () => {
  const browser = storageIn()
  const sent: string[] = []
  const liveFor = (token: string) => {
    const fetch = ((_: string, init: RequestInit) => {
      if (init.method === "POST") sent.push(`${token}: ${String(init.body)}`)
      return Promise.reject(new TypeError("unreachable"))
    }) as typeof globalThis.fetch
    const { outbox } = ownIn(token, browser.storage, undefined)
    const parlor = new Parlor({ baseUrl: "http://parlor.test", token, fetch })
    return parlor.conversation("host").live(outbox ? { storage: outbox } : {})
  }
  const ann = liveFor("ann")
  void ann.send(WORDS)
  ann.close()
  const [bob, again] = [liveFor("bob"), liveFor("ann")]
  await expect.poll(() => again.getState().sending.map(({ text }) => text)).toEqual([WORDS])
  await expect.poll(() => sent.length).toBeGreaterThan(0)
  expect(bob.getState().sending).toEqual([])
  for (const live of [bob, again]) live.close()
  expect(sent.filter((line) => line.startsWith("bob"))).toEqual([])
})

it("[TAB-10] a browser that keeps nothing, or refuses everything, keeps it while the page is open", () => {
  const refuse = () => {
    throw new Error("denied")
  }
  const refusing = { length: 1, key: refuse, getItem: refuse, setItem: refuse, removeItem: refuse }
  for (const storage of [undefined, refusing]) {
    const own = ownIn("ann", storage, storage)
    own.part(ownDrafts).write("host/main", { source: WORDS })
    expect(own.part(ownDrafts).read("host/main").source).toBe(WORDS)
    expect(own.forget).not.toThrow()
  }
})
