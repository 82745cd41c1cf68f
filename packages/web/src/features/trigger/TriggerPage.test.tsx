import type { Parlor } from "@parlor/client"
import { isValidElement, type ReactNode } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { Refused } from "../list/Refused.tsx"
import { Secret } from "./Secret.tsx"
import { TriggerItem } from "./TriggerItem.tsx"
import { TriggerLink } from "./TriggerLink.tsx"
import { TriggerList } from "./TriggerList.tsx"
import { TriggerPage } from "./TriggerPage.tsx"
import type { Item } from "./triggerView.ts"

const never = () => {
  throw new Error("nobody pressed anything")
}
const acts = { pause: never, fire: never, remove: never, firings: never }
const item = (change: Partial<Item> = {}): Item => ({
  kind: "schedule",
  id: "sch_1",
  title: "News",
  what: "host/main, every hour",
  state: "next soon",
  paused: false,
  isOver: false,
  isDeclared: false,
  last: null,
  ...change,
})
const shown = (change: Partial<Item>) => renderToStaticMarkup(<TriggerItem item={item(change)} acts={acts} />)

describe("the page of triggers", () => {
  const parlor = {} as Parlor
  const page = renderToStaticMarkup(<TriggerPage parlor={parlor} agent="critic" branch="redder" onRefused={never} />)

  it("[TRG-7] [TAB-27] leads back, offers to make one, and looks before it says that there is none", () => {
    expect(page).toMatch(/href="#\/critic\/redder" aria-label="Back to critic"/)
    expect(page).toMatch(/<h1[^>]*>Triggers<\/h1>/)
    expect(page).toMatch(/<button[^>]*aria-haspopup="menu"[^>]*>.* New<\/button>/)
    expect(page).toContain("Loading…")
    expect(page).not.toContain("No schedules")
    expect(page).not.toContain("<form")
  })

  it("[TRG-5] no secret and no refusal is there before something was made", () => {
    expect(page).not.toContain('aria-label="Webhook secret"')
    expect(page).not.toContain('role="alert"')
  })

  it("[TRG-6] MCP servers have their place, and nothing is said of them before they are known", () => {
    expect(page).toMatch(/<section aria-label="MCP servers".*<h2[^>]*>MCP servers<\/h2>/)
    expect(page).not.toContain("parlor.config.ts")
  })

  it("[TAB-27] the way to it says whether one is there", () => {
    expect(renderToStaticMarkup(<TriggerLink agent="host" branch="main" current />)).toMatch(
      /href="#triggers\/host" aria-current="page".*Triggers/,
    )
    expect(renderToStaticMarkup(<TriggerLink agent="host" branch="main" />)).not.toContain("aria-current")
  })

  it("[TRG-7] each kind without any says what it would be for, beside those that there are", () => {
    const html = renderToStaticMarkup(<TriggerList items={[item({ kind: "hook", id: "hook_1" })]} acts={acts} />)
    expect(html).toMatch(/aria-label="Schedules".*No schedules\. Wakeups that agents set/)
    expect(html).toMatch(/aria-label="Webhooks".*<li/)
    expect(html).not.toContain("No webhooks")
    expect(html).toMatch(/aria-label="Outgoing webhooks".*No outgoing webhooks/)
  })

  it("[TRG-7] what is refused says what to do about it", () => {
    const refused = (code: string, detail = "") =>
      renderToStaticMarkup(<Refused note={{ code, detail }} onRetry={never} />)
    expect(refused("schedule.invalid", "“x” is no pattern")).toMatch(
      /Invalid schedule\..*“x” is no pattern\. Check when it should run/,
    )
    expect(refused("hook.paused")).toContain("Resume it first.")
    expect(refused("notice.url", "10.0.0.1 is not public.")).toContain("Use a public address.")
    expect(refused("schedule.full")).toContain("Delete one you no longer need.")
  })
})

describe("one trigger", () => {
  it("[TRG-7] [TAB-27] its switch is on while it is active, and its tip says what pressing it does", () => {
    expect(shown({})).toMatch(/role="switch" aria-checked="true"[^>]*aria-label="News is on" data-tip="Pause"/)
    expect(shown({ paused: true, state: "paused" })).toMatch(/aria-checked="false"[^>]*data-tip="Resume"/)
  })

  it("[TRG-7] what became of the last firing is in its line, a failure with its reason", () => {
    const last = { id: "f", at: 0, dueAt: 0, message: null, became: null } as const
    const failed = shown({ last: { ...last, outcome: "failed", error: { code: "x", detail: "No such agent." } } })
    expect(failed).toMatch(/every hour · next soon · last .*, failed: No such agent\./)
    expect(shown({ last: { ...last, outcome: "waiting", error: null } })).toContain("skipped: one was already queued")
    expect(shown({ last: { ...last, outcome: "started", became: "failed", error: null } })).toContain("its turn failed")
    expect(shown({})).not.toContain("· last")
  })

  it("[TRG-7] one that is over is neither fired nor switched, and its firings can still be seen", () => {
    const html = shown({ isOver: true, state: "done" })
    expect([...html.matchAll(/aria-label="([^"]+)"/g)].map(([, label]) => label)).toEqual(["Delete News"])
    expect(html).toContain("Recent firings")
  })

  it("[TRG-7] deleting asks first: the question is not there before it is pressed", () => {
    expect(shown({})).not.toContain("<dialog")
  })

  it("[SEC-6] a name with marks in it stays one name, also for screen readers", () => {
    const html = shown({ title: `a" onfocus="x" b='<script>`, what: "<b>", state: "</li>" })
    expect(html).toContain('aria-label="Fire a&quot; onfocus=&quot;x&quot; b=&#x27;&lt;script&gt; now"')
    expect(html).not.toMatch(/<script>|<b>|<\/li>./)
  })

  it("[TRG-7] its buttons do what they say, to this one", () => {
    const did: string[] = []
    const tell = (name: string) => (one: Item) => void did.push(`${name} ${one.id}`)
    const pressing = { ...acts, fire: tell("fire"), pause: tell("pause") }
    const Probe = () => {
      press(TriggerItem({ item: item(), acts: pressing }))
      return null
    }
    renderToStaticMarkup(<Probe />)
    expect(did).toEqual(["fire sch_1", "pause sch_1"])
  })
})

it("[TRG-5] [SEC-6] a secret is text that can be selected, once for the address and once for the secret", () => {
  const html = renderToStaticMarkup(<Secret url="https://x/<i>" secret="whsec_<b>" onClose={never} />)
  expect(html).toContain('aria-label="Webhook secret"')
  expect(html).toMatch(/<dt[^>]*>Address<\/dt><dd[^>]*>https:\/\/x\/&lt;i&gt;<\/dd>/)
  expect(html).toMatch(/<dt[^>]*>Secret<\/dt><dd[^>]*>whsec_&lt;b&gt;<\/dd>/)
  expect(html).toContain("Done</button>")
  expect(html).not.toContain("<input")
})

/** Presses all that can be pressed in what was rendered, but the button that asks first. */
function press(node: ReactNode): void {
  if (Array.isArray(node)) for (const child of node) press(child)
  type Props = { label?: string; onClick?: () => void; onChange?: () => void; children?: ReactNode }
  if (!isValidElement<Props>(node)) return
  const { label, onClick, onChange, children } = node.props
  if (label?.startsWith("Delete") !== true) onClick?.()
  onChange?.()
  press(children)
}
