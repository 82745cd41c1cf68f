import type { PendingSend } from "@parlor/client"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { pressable } from "../../ui/pressable.ts"
import { RefusedSends } from "../sends/RefusedSends.tsx"
import { EmptyConversation } from "./EmptyConversation.tsx"
import { JumpButton } from "./JumpButton.tsx"
import { Older } from "./Older.tsx"
import { ProblemCard } from "./ProblemCard.tsx"
import { Skeleton } from "./Skeleton.tsx"

const nothing = () => undefined
const text = (html: string) => html.replace(/<[^>]*>/g, "")

describe("a conversation in which nothing was said", () => {
  const empty = (description: string | undefined, agent = "host") =>
    renderToStaticMarkup(<EmptyConversation agent={agent} description={description} onPick={nothing} />)

  it("says who one talks with, that nothing is lost, and what one can do meanwhile", () => {
    const html = empty("Bakes bread.")
    expect(html).toContain('<section aria-label="Get started"')
    expect(html).toMatch(/<h2[^>]*>Chat with host<\/h2>/)
    expect(text(html)).toContain("Bakes bread. Everything here is saved")
    expect(text(html)).toContain("While host is replying, you can keep writing: your messages wait in a queue")
  })

  it("ends the sentence of an agent that does not, and needs none", () => {
    expect(text(empty("Bakes bread"))).toContain("Bakes bread. Everything")
    expect(text(empty("Bread, anyone?"))).toContain("Bread, anyone? Everything")
    for (const none of ["", undefined]) expect(empty(none)).toMatch(/<p[^>]*>Everything here is saved/)
  })

  it("[SEC-6] what an agent is called and says of itself is text", () => {
    const html = empty("<img src=x>", "<b>host</b>")
    expect(html).not.toMatch(/<img|<b>/)
    expect(html).toContain("&lt;img src=x&gt;.")
  })

  it("gives examples, and pressing one says what it says", () => {
    const picked: string[] = []
    const onPick = (words: string) => void picked.push(words)
    for (const press of pressable(EmptyConversation({ agent: "host", description: "", onPick }))) press()
    expect(picked).toHaveLength(4)
    for (const words of picked) expect(empty("")).toContain(`>${words}</button>`)
  })
})

it("[TAB-2, TAB-27] while it loads there is its shape, with a name for those who do not see it", () => {
  const html = renderToStaticMarkup(<Skeleton />)
  expect(html).toMatch(/^<div role="status" aria-label="Loading the conversation"/)
  expect(text(html)).toBe("")
})

describe("the card of a turn that failed", () => {
  const card = (note: Parameters<typeof ProblemCard>[0]["note"]) => renderToStaticMarkup(<ProblemCard note={note} />)

  it("is told at once, in words for what happened and what to do", () => {
    const html = card({ code: "model.overloaded-again", detail: "All are busy" })
    expect(html).toMatch(/^<div role="alert"/)
    expect(text(html)).toBe("The model couldn&#x27;t answerAll are busy. Try again.")
  })

  it("has words when nobody said why", () => {
    expect(text(card(null))).toBe("The last turn failedTry again.")
    expect(text(card({ code: "never.heard", detail: "" }))).toContain("Your text is kept.")
  })

  it("[SEC-6] shows what a provider said as text", () => {
    expect(card({ code: "model.odd", detail: "<script>x</script>" })).not.toContain("<script>")
  })
})

describe("the way to the newest message", () => {
  const jump = (news: number) => renderToStaticMarkup(<JumpButton news={news} onJump={nothing} />)

  it("[TAB-26] is an arrow while nothing is new, and then says how much is", () => {
    expect(jump(0)).toMatch(/<button[^>]*aria-label="Jump to newest"/)
    expect(text(jump(0))).not.toContain("new")
    expect(jump(1)).toContain('aria-label="Jump to newest, 1 new message"')
    expect(text(jump(1))).toBe("1 new message")
    expect(text(jump(12))).toBe("12 new messages")
  })

  it.each([0, 3])("goes there when it is pressed, with %i new", (news) => {
    let jumped = 0
    for (const press of pressable(JumpButton({ news, onJump: () => void jumped++ }))) press()
    expect(jumped).toBe(1)
  })
})

it("[TAB-2] older messages are there for the asking, with how many there are when that is known", () => {
  const older = (count: number | undefined) => {
    let asked = 0
    const html = renderToStaticMarkup(<Older count={count} onLoad={() => Promise.resolve(asked++)} />)
    expect(asked).toBe(0)
    return html
  }
  expect(older(12_345)).toMatch(/<button[^>]*>Load older messages<\/button>.*12,345 more above/)
  expect(older(1)).not.toContain('disabled=""')
  expect(older(undefined)).not.toContain("more above")
})

describe("[TAB-10] messages that were refused", () => {
  const refused = (key: string, change: Partial<PendingSend> = {}): PendingSend => ({
    key,
    body: { text: `words of ${key}` },
    text: `words of ${key}`,
    at: 0,
    state: "failed",
    error: null,
    failures: 1,
    retryAt: null,
    ...change,
  })

  it("each has its own three ways on", () => {
    const did: string[] = []
    const drawn = RefusedSends({
      refused: [refused("a"), refused("b")],
      onRetry: (key) => void did.push(`retry ${key}`),
      onKeep: ({ key }) => void did.push(`keep ${key}`),
      onDismiss: (key) => void did.push(`discard ${key}`),
    })
    for (const press of pressable(drawn)) press()
    expect(did).toEqual(["retry a", "keep a", "discard a", "retry b", "keep b", "discard b"])
  })

  it("stands there with its files when it says nothing, and as text whatever it says", () => {
    const node = { kind: "attachment", hash: "a".repeat(64), name: "a.png", start: 0, end: 0, raw: "" }
    const files = refused("f", { text: "", body: { type: "composer_input", payload: { source: "", nodes: [node] } } })
    const drawn = (send: PendingSend) =>
      renderToStaticMarkup(<RefusedSends refused={[send]} onRetry={nothing} onDismiss={nothing} />)
    expect(drawn(files)).toMatch(/<p class="mt-0\.5[^>]*>a\.png<\/p>/)
    expect(drawn(files)).not.toContain("Move to message box")
    expect(drawn(refused("x", { text: "<b>loud</b>" }))).toContain("&lt;b&gt;loud&lt;/b&gt;")
  })
})
