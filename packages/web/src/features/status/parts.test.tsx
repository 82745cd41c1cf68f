import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { Alert } from "./Alert.tsx"
import { Countdown } from "./Countdown.tsx"
import { RetryNote } from "./RetryNote.tsx"
import { StatusLine } from "./StatusLine.tsx"

describe("how things stand", () => {
  it("[TAB-27] the line is told to screen readers; its dot and its countdown are not", () => {
    const html = renderToStaticMarkup(
      <StatusLine words={{ tone: "warn", text: "Trying again", until: Date.now() + 5_000 }} />,
    )
    expect(html).toMatch(/^<p role="status"/)
    expect(html.match(/aria-hidden="true"/g)).toHaveLength(2)
    expect(html).toMatch(/text-warn[^>]*>Trying again/)
  })

  it.each([
    ["calm", "bg-accent"],
    ["bad", "bg-bad"],
  ] as const)("a %s line has its own dot", (tone, dot) => {
    const html = renderToStaticMarkup(<StatusLine words={{ tone, text: "Ready" }} />)
    expect(html).toContain(dot)
    expect(html).toContain("data-dot")
  })

  it("[TRN-10] a retry says what the model said, when it is asked again, and that one need do nothing", () => {
    const error = { code: "model.failed", detail: "529: overloaded" }
    const html = renderToStaticMarkup(<RetryNote status={{ attempt: 2, retryAt: Date.now() + 3_000, error }} />)
    expect(html).toMatch(/Retrying.* in 3 s.*\(attempt 2\).*529: overloaded.*No action needed/)
  })

  it("something turned down is an alert with what to do", () => {
    const html = renderToStaticMarkup(<Alert note={{ code: "queue.full", detail: "It holds 1,000." }} />)
    expect(html).toMatch(
      /^<p role="alert".*The queue is full\..*It holds 1,000\. Your text is still in the message box/,
    )
  })

  it("a countdown that is over says now", () => {
    expect(renderToStaticMarkup(<Countdown until={0} />)).toContain(" now")
  })
})
