import type { AskId, FeedNews, MessageId, TurnId } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { afterEach, describe, expect, it, vi } from "vitest"
import { keepIn } from "../keep/keep.ts"
import { allowedNow, askToCall, call, callByWorker, keepWish, wishIn } from "./calls.ts"
import { holdTheWord, makeLookout } from "./lookout.ts"
import { NewsList } from "./NewsList.tsx"
import { type NewsItem, newsIn, stillOpen, withNews } from "./news.ts"
import { useWish, type WishState, wishHint } from "./useWish.ts"

const turn = "trn_1" as TurnId
const asks: FeedNews = { event: "ask.opened", turn, ask: "ask_1" as AskId, kind: "approval", title: "May I?" }
const ended = (state: "done" | "stopped" | "failed"): FeedNews => ({
  event: "turn.finished",
  turn,
  message: "msg_1" as MessageId,
  state,
  said: "All done.",
})
const row = (branch: string, news: FeedNews | null, more = {}) => ({
  agent: "host",
  branch,
  title: "A trip",
  news,
  asks: 0,
  state: "idle" as const,
  ephemeral: false,
  ...more,
})
const quiet = newsIn([row("main", null), row("trip", ended("done"))], undefined)

describe("news", () => {
  it("what was there when the page came is not told", () => {
    expect(quiet.fresh).toEqual([])
    expect(newsIn([row("trip", ended("done"))], quiet.seen).fresh).toEqual([])
  })

  it("[TAB-13] an ask, an end and a failure are told once each", () => {
    const news = newsIn([row("main", asks), row("trip", ended("failed"))], quiet.seen)
    expect(news.fresh.map(({ kind, title, body, address }) => [kind, title, body, address])).toEqual([
      ["asks", "host needs your approval", "May I?", "#/host"],
      ["failed", "host couldn't finish", "A trip", "#/host/trip"],
    ])
    expect(newsIn([row("main", asks), row("trip", ended("failed"))], news.seen).fresh).toEqual([])
    const done = newsIn([row("main", ended("done"))], news.seen).fresh
    expect(done.map(({ title, body }) => [title, body])).toEqual([["host is done", "All done."]])
  })

  it("what the person stopped is not told, nor the end of what was asked aside", () => {
    expect(newsIn([row("main", ended("stopped"))], quiet.seen).fresh).toEqual([])
    expect(newsIn([row("main", ended("done"), { ephemeral: true })], quiet.seen).fresh).toEqual([])
    expect(newsIn([row("main", asks, { ephemeral: true })], quiet.seen).fresh).toHaveLength(1)
  })

  it("each kind of ask has its words", () => {
    const title = (kind: "question" | "form") => newsIn([row("main", { ...asks, kind })], quiet.seen).fresh[0]?.title
    expect([title("question"), title("form")]).toEqual([
      "host has a question for you",
      "host needs some information from you",
    ])
  })

  it("on the page it stays until it is answered, tried again or looked at", () => {
    const shown = newsIn([row("main", asks), row("trip", ended("failed"))], quiet.seen).fresh
    const rows = [row("main", asks, { asks: 1 }), row("trip", ended("failed"), { state: "error" })]
    expect(stillOpen(shown, rows, "host/other")).toBe(shown)
    expect(stillOpen(shown, rows, "host/main").map(({ kind }) => kind)).toEqual(["failed"])
    expect(stillOpen(shown, [row("main", asks), row("trip", null)], undefined)).toEqual([])
    expect(stillOpen(shown, [], undefined)).toEqual([])
  })

  it("on the page there is one for each conversation, and a few at most", () => {
    const item = (conversation: string, key: string) => ({ conversation, key }) as NewsItem
    const shown = withNews([item("a", "1"), item("b", "2")], [item("a", "3")])
    expect(shown.map(({ key }) => key)).toEqual(["2", "3"])
    expect(withNews(shown, [])).toBe(shown)
    const many = ["c", "d", "e", "f", "g"].map((name) => item(name, name))
    expect(withNews(shown, many).map(({ key }) => key)).toEqual(["d", "e", "f", "g"])
  })
})

describe("across windows", () => {
  const line = () => new BroadcastChannel("lookout test")

  it("[TAB-13] nobody is called while one window is looked at, and whoever is gone does not count", async () => {
    const hidden = makeLookout(line(), () => false, 100)
    const shown = makeLookout(line(), () => true)
    expect(await hidden.isSeen()).toBe(true)
    expect(await shown.isSeen()).toBe(true)
    shown.close()
    expect(await hidden.isSeen()).toBe(false)
    hidden.close()
  })

  it("one window has the word; when it goes the next one has it", async () => {
    const waiting: (() => Promise<unknown>)[] = []
    const locks = {
      request: (_name: string, _options: unknown, run: () => Promise<unknown>) => {
        waiting.push(run)
        return waiting.length === 1 ? run().then(() => waiting[1]?.()) : Promise.resolve()
      },
    } as unknown as Pick<LockManager, "request">
    const first = holdTheWord(locks)
    const second = holdTheWord(locks)
    expect([first.isOurs(), second.isOurs()]).toEqual([true, false])
    first.release()
    await vi.waitFor(() => expect(second.isOurs()).toBe(true))
    expect(first.isOurs()).toBe(false)
    expect(holdTheWord(undefined).isOurs()).toBe(true)
  })
})

describe("calls of the system", () => {
  afterEach(() => vi.unstubAllGlobals())
  const item: NewsItem = {
    key: "ask_1",
    conversation: "host/main",
    address: "#/host",
    kind: "asks",
    title: "host asks",
    body: `${"long ".repeat(80)}`,
  }

  it("are the person's choice, kept in this browser", () => {
    const items = new Map<string, string>()
    const keep = keepIn(() => ({
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    }))
    expect(wishIn(keep)).toBeUndefined()
    keepWish("on", keep)
    expect(wishIn(keep)).toBe("on")
  })

  it("carry the news once, cut to length, and open it when pressed", () => {
    const made: { title: string; options: NotificationOptions; onclick?: () => void; close: () => void }[] = []
    vi.stubGlobal(
      "Notification",
      class {
        static readonly permission = "granted"
        constructor(title: string, options: NotificationOptions) {
          Object.assign(this, { title, options, close: () => undefined })
          made.push(this as never)
        }
      },
    )
    const opened: string[] = []
    expect(call(item, ({ address }) => void opened.push(address))).toBe(true)
    expect(made[0]?.options).toMatchObject({ tag: "ask_1", silent: true })
    expect(made[0]?.options.body?.length).toBe(160)
    made[0]?.onclick?.()
    expect(opened).toEqual(["#/host"])
    expect(allowedNow()).toBe("granted")
  })

  it("are cut between characters, not inside one", () => {
    const bodies: unknown[] = []
    vi.stubGlobal(
      "Notification",
      class {
        constructor(_title: string, options: NotificationOptions) {
          bodies.push(options.body)
        }
      },
    )
    call({ ...item, body: `${"x".repeat(158)}👍👍` }, () => undefined)
    call({ ...item, body: " two\n lines " }, () => undefined)
    expect(bodies).toEqual([`${"x".repeat(158)}…`, "two lines"])
  })

  it("are off when the browser says no to a person who said yes, and when they say no nobody is asked", async () => {
    const kept = new Map<string, string>()
    const localStorage = {
      getItem: (key: string) => kept.get(key),
      setItem: (key: string, to: string) => kept.set(key, to),
    }
    const requestPermission = vi.fn(async () => "denied")
    vi.stubGlobal("window", { localStorage })
    vi.stubGlobal("Notification", { permission: "default", requestPermission })
    let state: WishState | undefined
    const Probe = () => {
      state = useWish()
      return null
    }
    renderToStaticMarkup(<Probe />)
    expect([state?.wish, state?.allowed]).toEqual([undefined, "default"])
    await state?.choose("off")
    expect(requestPermission).not.toHaveBeenCalled()
    await state?.choose("on")
    expect(wishIn()).toBe("off")
    requestPermission.mockResolvedValue("granted")
    await state?.choose("on")
    expect(wishIn()).toBe("on")
  })

  it("[APP-9, APP-11] are shown by the worker where only it may, without words, and lead to the conversation", async () => {
    const shown: unknown[] = []
    const registration = { showNotification: async (...given: unknown[]) => void shown.push(given) }
    vi.stubGlobal("navigator", { serviceWorker: { getRegistration: async () => registration } })
    await callByWorker(item)
    expect(shown).toEqual([["host asks", { body: "", tag: "ask_1", silent: true, data: { address: "#/host" } }]])
    vi.stubGlobal("navigator", {})
    await callByWorker(item)
    expect(shown).toHaveLength(1)
  })

  it("are done without where a browser has none", async () => {
    vi.stubGlobal("Notification", undefined)
    expect(allowedNow()).toBe("missing")
    expect(await askToCall()).toBe(false)
    expect(call(item, () => undefined)).toBe(false)
    expect(new Set([wishHint("denied"), wishHint("missing"), wishHint("granted")]).size).toBe(3)
  })
})

describe("items on the page", () => {
  const shown = newsIn([row("trip", asks)], quiet.seen).fresh
  const html = (list: readonly NewsItem[], isOffered: boolean) =>
    renderToStaticMarkup(
      <NewsList shown={list} isOffered={isOffered} onDismiss={() => undefined} onOffer={() => undefined} />,
    )

  it("[TAB-27] say who waits and for what, with a way there", () => {
    expect(html(shown, false)).toMatch(
      /aria-label="Notifications".*role="status".*needs your approval.*href="#\/host\/trip"/,
    )
    expect(html(shown, false)).toContain("May I?")
    expect(html([], false)).not.toContain("role=")
  })

  it("[SEC-6] [TAB-27] are text, and each can be put away by name", () => {
    const evil = "<img src=x onerror=alert(1)>"
    const items = newsIn([row(evil, { ...asks, title: evil }), row("b", ended("failed"), { title: evil })], quiet.seen)
    expect(html(items.fresh, false)).not.toContain("<img")
    expect(html(items.fresh, false).match(/aria-label="Dismiss"/g)).toHaveLength(2)
    expect(newsIn([row("b", ended("failed"), { title: "" })], quiet.seen).fresh[0]?.body).toBe("Open it to see why.")
  })

  it("offer to call next time, and take no for an answer", () => {
    expect(html([], true)).toMatch(/Turn on desktop notifications\?.*Turn on.*No thanks/)
  })
})
