import type { Page } from "playwright-core"
import { beforeAll, describe, expect, test } from "vitest"
import { nested } from "../../packages/web/src/features/markdown/testing/nested.ts"
import { useBrowser } from "./browser.ts"
import { useStage } from "./parlor.ts"
import { expectCount, expectText, roomOf } from "./room.ts"

const SHORT = 6_000
const LONG = 1_000_000
/** A few per message, so that a page has more than one message. */
const WORST = [
  "quotes",
  "lists",
  "emphasis in emphasis",
  "brackets",
  "links in links",
  "pictures",
  "backticks",
] as const
const LARGE = ["a large table", "a table of empty rows", "quotes", "instructions that never end", "backticks"] as const

const stage = useStage()
const browser = useBrowser()
beforeAll(() => {
  expect(Object.keys(nested)).toEqual(expect.arrayContaining([...WORST, ...LARGE]))
})

describe("[SEC-35] a message cannot stop the page, however its markdown is nested", { timeout: 180_000 }, () => {
  test("6 KB at a time, while they stream, when they are whole and after a reload", async () => {
    const { parlor, model } = stage()
    const page = await browser.page(parlor.address)
    const room = roomOf(page)
    for (const name of WORST) {
      await room.say(`Show me ${name}`)
      const answer = await model.next()
      for (const part of inParts(nested[name]?.(SHORT) ?? "", 6)) {
        answer.say(part)
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)))
      }
      answer.say(`\n\nThat was ${name}.`)
      answer.end()
      await expectText(room.replies.last(), `That was ${name}.`)
    }
    await page.reload()
    await expectText(room.replies.last(), `That was ${WORST.at(-1)}.`)
    await room.say("Still there?")
    const answer = await model.next()
    answer.say("Yes, **all** of it.")
    answer.end()
    await expectText(room.replies.last(), "Yes, all of it.")
  })

  test("1 MB of it, in messages of a conversation that is opened", async () => {
    const { parlor } = stage()
    const lines = LARGE.map((name) => JSON.stringify({ role: "agent", text: nested[name]?.(LONG).slice(0, LONG) }))
    await parlor.sdk.importLines(
      "host",
      "main",
      [...lines, JSON.stringify({ role: "agent", text: "The *end*." })].join("\n"),
    )
    const page = await browser.page(parlor.address)
    const room = roomOf(page)
    await expectText(room.replies.last(), "The end.")
    await page.locator("[role=log]").press("Control+Home")
    await expect.poll(() => room.log.getByText("shown as plain text").count()).toBeGreaterThan(0)
    await room.box.fill("I can still write")
    expect(await room.written()).toBe("I can still write")
  })
})

describe("[SEC-36] what fails to render is contained", () => {
  test("a renderer that throws: the words are there as text, and the rest of the page works", async () => {
    browser.expectErrors(/broken renderer|error occurred in the/)
    const { parlor, model } = stage()
    await parlor.sdk.importLines("host", "main", JSON.stringify({ role: "agent", text: "Some **bold** words." }))
    const context = await browser.person()
    await context.route(/assets\/Markdown-.*\.js$/, (route) =>
      route.fulfill({
        contentType: "text/javascript",
        body: 'export const Markdown = () => { throw new Error("broken renderer") }',
      }),
    )
    const page = await context.newPage()
    await page.goto(parlor.address)
    const room = roomOf(page)
    await expectText(room.replies, "Some **bold** words.")
    await room.say("Do *you* stream?")
    const answer = await model.next()
    for (const part of ["I ", "**do**", ", word by word"]) {
      answer.say(part)
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)))
    }
    await expectText(room.replies.last(), "I **do**, word by word")
    answer.end()
    await expectText(room.status, "Ready")
    await expectText(room.mine, "Do *you* stream?")
  })

  test("a message that throws is shown as text between the others", async () => {
    browser.expectErrors(/unreachable|error occurred in the/)
    const { parlor } = stage()
    const text = (words: string) => JSON.stringify({ role: "agent", text: words })
    await parlor.sdk.importLines("host", "main", [text("Before."), text("POISON"), text("After.")].join("\n"))
    const part = { type: "tool", state: "odd", name: "t", call: "c", input: "POISON", output: null, error: null }
    const page = await poisonedPage(parlor.url, JSON.stringify(part))
    await page.goto(parlor.address)
    const room = roomOf(page)
    await expectText(room.log, /Before\..*POISON.*could not be rendered.*After\./)
    await room.say("And on it goes")
    await expectText(room.mine, "And on it goes")
  })

  test("a conversation that throws says so, and the other ones and the sidebar work", async () => {
    browser.expectErrors(/TypeError|error occurred in the/)
    const { parlor } = stage()
    await parlor.sdk.importLines("host", "main", JSON.stringify({ role: "agent", text: "POISON" }))
    const page = await poisonedPage(parlor.url, "null")
    await page.goto(parlor.address)
    const failed = page.getByRole("alert").filter({ hasText: "This conversation can't be shown" })
    await failed.waitFor()
    await page.getByRole("navigation", { name: "Sidebar" }).waitFor()
    await page.goto(`${parlor.url}/#/critic`)
    await expectText(roomOf(page, "critic").status, "Ready")
    await expectCount(failed, 0)
    await page.goto(`${parlor.url}/#/host`)
    await failed.getByRole("button", { name: "Try again" }).click()
    await failed.waitFor()
  })

  test("a chunk that cannot be loaded leaves its page with a way to try again", async () => {
    browser.expectErrors(/ERR_FAILED|dynamically imported module|error occurred in the/)
    const { parlor } = stage()
    const context = await browser.person()
    await context.route(/assets\/MemoryPage-.*\.js$/, (route) => route.abort())
    const page = await context.newPage()
    await page.goto(parlor.address)
    await expectText(roomOf(page).status, "Ready")
    await page.goto(`${parlor.url}/#memory/host`)
    await expectText(page.getByRole("alert").filter({ hasText: "This page can't be shown" }), "Try again")
    await page.goto(`${parlor.url}/#/host`)
    await expectText(roomOf(page).status, "Ready")
  })
})

function inParts(text: string, count: number): readonly string[] {
  const size = Math.ceil(text.length / count)
  return Array.from({ length: count }, (_, index) => text.slice(index * size, (index + 1) * size))
}

/** A page whose server responses have the part with POISON replaced. */
async function poisonedPage(url: string, part: string): Promise<Page> {
  const context = await browser.person()
  await context.addInitScript(
    ({ origin, part }) => {
      const { fetch } = window
      window.fetch = async (input, init) => {
        const response = await fetch(input, init)
        if (!String(input).startsWith(`${origin}/v1/`) || response.body === null) return response
        const poison = new TransformStream<string, string>({
          transform: (text, out) => out.enqueue(text.replaceAll('{"type":"text","text":"POISON"}', part)),
        })
        const texts = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(poison)
        return new Response(texts.pipeThrough(new TextEncoderStream()), response)
      }
    },
    { origin: url, part },
  )
  return context.newPage()
}
