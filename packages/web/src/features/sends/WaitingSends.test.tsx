import { ParlorError, type PendingSend } from "@parlor/client"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { RefusedSends } from "./RefusedSends.tsx"
import { WaitingSends } from "./WaitingSends.tsx"
import { sendTitle, waitingWords } from "./waitingWords.ts"

const send = (text: string, change: Partial<PendingSend> = {}): PendingSend => ({
  key: text,
  body: { text },
  text,
  at: 0,
  state: "sending",
  error: null,
  failures: 1,
  retryAt: null,
  ...change,
})
const nothing = () => undefined

describe("[LOG-12] messages that are not delivered yet", () => {
  it("say what becomes of them", () => {
    expect(waitingWords({ retryAt: 9 }, "offline", false)).toBe("Offline: will be sent when you are back online")
    expect(waitingWords({ retryAt: 9 }, "offline", true)).toBe("Can't reach the server. Retrying")
    expect(waitingWords({ retryAt: 9 }, "live", true)).toBe("The server couldn't accept it. Retrying")
    expect(waitingWords({ retryAt: null }, "live", true)).toBe("Sending again…")
  })

  it("are shown in order, each with a way to take it back, and when the first goes again", () => {
    const sending = [send("first", { retryAt: Date.now() + 9_000 }), send("second", { failures: 0 })]
    const html = renderToStaticMarkup(
      <WaitingSends sending={sending} connection="connecting" onRetry={nothing} onCancel={nothing} />,
    )
    expect(html).toMatch(/aria-label="Waiting to be sent".*role="status".*Try now.*first.*second/s)
    expect(html).toContain('aria-label="Cancel: second"')
    expect(html).toMatch(/in [89] s/)
  })

  it("are not there when there are none", () => {
    const html = renderToStaticMarkup(
      <WaitingSends sending={[]} connection="live" onRetry={nothing} onCancel={nothing} />,
    )
    expect(html).toBe("")
  })

  it("are known by what goes along when they say nothing", () => {
    const node = { kind: "attachment", hash: "a".repeat(64), name: "a.png", start: 0, end: 0, raw: "" } as const
    expect(sendTitle({ source: "", nodes: [node, { ...node, name: "b.pdf" }] }, "")).toBe("a.png, b.pdf")
    expect(sendTitle({ source: "look", nodes: [node] }, "look")).toBe("look")
  })
})

it("[TAB-10] a message that was refused keeps its words, says why, and can be tried again, kept or discarded", () => {
  const error = new ParlorError("queue.full", "There are 1000 already.", { status: 429 })
  const refused = [send("precious words", { state: "failed", error })]
  const html = renderToStaticMarkup(
    <RefusedSends refused={refused} onRetry={nothing} onDismiss={nothing} onKeep={nothing} />,
  )
  expect(html).toMatch(/role="alert".*Not sent\. .*queue is full.*precious words/s)
  expect(html).toMatch(/Try again.*Move to message box.*Discard/s)
})

it("[CMP-15] one that was refused because an attachment was deleted says which", () => {
  const node = { kind: "attachment", hash: "a".repeat(64), name: "a.png", start: 4, end: 4, raw: "" } as const
  const error = new ParlorError("attachment.unknown", `There is no attachment with the hash ${node.hash}.`, {
    status: 404,
  })
  const body = { type: "composer_input", payload: { source: "look", nodes: [node] } }
  const html = renderToStaticMarkup(
    <RefusedSends refused={[send("look", { state: "failed", error, body })]} onRetry={nothing} onDismiss={nothing} />,
  )
  expect(html.replace(/<[^>]*>/g, " ")).toMatch(/Not sent\. An attachment no longer exists\.\s+a\.png was deleted\./)
  expect(html).not.toContain(node.hash)
})
