/** What messages look like and what can be done with them. One server for all tests; each has its own conversation. */
import { afterAll, beforeAll, expect, test } from "vitest"
import { barriers } from "./axe.ts"
import { useBrowser } from "./browser.ts"
import { type SteeredModel, startSteeredModel } from "./model.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectCount, expectText, type Room, roomOf, textIn } from "./room.ts"

let model: SteeredModel
let parlor: TestParlor
beforeAll(async () => {
  model = await startSteeredModel()
  parlor = await startParlor({ model })
})
afterAll(async () => {
  await parlor.close()
  await model.close()
})
const browser = useBrowser()

/** Opens a new conversation of this name. */
async function open(branch: string): Promise<Room> {
  await parlor.sdk.conversation("host", branch).make()
  const page = await browser.page(parlor.address)
  await page.goto(`${parlor.url}/#/host/${branch}`)
  const room = roomOf(page)
  await expectText(room.status, "Ready")
  return room
}

/** `asked`: what the model sees as the last message, if a message before it was not answered. */
async function answered(room: Room, text: string, reply: string, asked = text): Promise<void> {
  await room.say(text)
  const answer = await model.next(asked)
  answer.say(reply)
  answer.end()
  await expectText(room.replies.last(), reply)
  await expectText(room.status, "Ready")
}

type Shifts = { shifted: number; raw: boolean }

/** Runs in the page, before its scripts. */
function watchLoading(): void {
  const seen = globalThis as unknown as Shifts
  seen.shifted = 0
  seen.raw = false
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.shifted += (entry as unknown as { readonly value: number }).value
  }).observe({ type: "layout-shift", buffered: true })
  const look = () => {
    seen.raw ||= document.body?.innerText.includes("**bold**") ?? false
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

test("[MSG-1] a conversation is drawn formatted at once, and its layout does not move while it loads", async () => {
  const written = ["# A heading", "Some **bold** words and a list:", "- one\n- two\n- three", "```ts\nconst a = 1\n```"]
  const lines = Array.from({ length: 24 }, (_, index) =>
    JSON.stringify({ role: index % 2 === 0 ? "person" : "agent", text: `Part ${index}.\n\n${written.join("\n\n")}` }),
  )
  await parlor.sdk.importLines("host", "formatted", lines.join("\n"))
  const person = await browser.person()
  await person.addInitScript(watchLoading)
  const page = await person.newPage()
  await page.goto(parlor.address)
  await page.goto(`${parlor.url}/#/host/formatted`)
  const room = roomOf(page)
  for (const _ of ["first load", "reload"]) {
    await page.reload()
    await expectText(room.replies.last(), "Part 23.")
    await expectText(room.status, "Ready")
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 600)))
    const { shifted, raw } = await page.evaluate(() => {
      const { shifted, raw } = globalThis as unknown as Shifts
      return { shifted, raw }
    })
    expect(raw, "Markdown source was shown").toBe(false)
    expect(shifted).toBeLessThanOrEqual(0.05)
  }
})

test("[MSG-7] offline, nothing is ready and nobody thinks", async () => {
  browser.expectErrors(/ERR_INTERNET_DISCONNECTED/)
  const room = await open("offline")
  await answered(room, "Hello", "Good day.")
  await room.page.context().setOffline(true)
  await expectText(room.status, "Offline")
  await room.say("Are you there?")
  await room.log.getByRole("article", { name: "You, sending" }).waitFor()
  await expectCount(room.log.getByRole("img", { name: /is thinking/ }), 0)
  expect(await textIn(room.status)).toBe("Offline")
  await room.page.context().setOffline(false)
  const answer = await model.next("Are you there?")
  answer.say("I am.")
  answer.end()
  await expectText(room.replies, "I am.")
  await expectText(room.status, "Ready")
})

test("[MSG-6] a reply that has stalled says that it is still being worked on", async () => {
  const room = await open("stalled")
  await room.page.clock.install()
  await room.say("Think")
  const answer = await model.next("Think")
  answer.say("Well, ")
  await expectText(room.replies.last(), "Well,")
  await room.page.clock.fastForward(12_000)
  await expectText(room.replies.last(), "Still working…")
  answer.say("yes.")
  await expectCount(room.log.getByText("Still working…"), 0)
  answer.end()
})

test("[MSG-9] a failed message keeps its sign when the conversation goes on, and after a reload", async () => {
  const room = await open("failed")
  model.failNext({ status: 401, message: "Wrong key" })
  await room.say("Will this work?")
  await expectText(room.log.getByRole("alert"), "The model provider rejected the API key")
  await answered(room, "And now?", "Now it does.", "Will this work?\n\nAnd now?")
  const sign = room.log.getByText("No reply. The model provider rejected the API key")
  await sign.waitFor()
  await room.page.reload()
  await sign.waitFor()
  await expectCount(sign, 1)
})

test("[MSG-10] only rejected files are not a message", async () => {
  const room = await open("rejected")
  const picker = room.page.locator("input[type=file]")
  await picker.setInputFiles({ name: "a.heic", mimeType: "image/heic", buffer: Buffer.from([0, 255, 254, 0, 1]) })
  await expectText(room.page.locator("form"), "a.heic")
  await expect.poll(() => room.send.isDisabled()).toBe(true)
  await room.box.fill("With words")
  await expect.poll(() => room.send.isDisabled()).toBe(false)
})

test("[MSG-13] a reply is rated, on every device and after a reload, and the rating is taken back", async () => {
  const room = await open("rated")
  await answered(room, "Hello", "Good day.")
  const good = room.replies.last().getByRole("button", { name: "Good reply" })
  await good.click()
  await expect.poll(() => good.getAttribute("aria-pressed")).toBe("true")
  await room.page.reload()
  await expect.poll(() => good.getAttribute("aria-pressed")).toBe("true")
  await good.click()
  await expect.poll(() => good.getAttribute("aria-pressed")).toBe("false")
})

test("[MSG-14] code has colors, a picture is shown, and a long text is collapsed to its beginning", async () => {
  const room = await open("rich")
  const long = Array.from({ length: 60 }, (_, index) => `Line ${index} of it`).join("\n")
  await room.page
    .locator("input[type=file]")
    .setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: Buffer.from(DOT, "base64") })
  // With its size: the upload is done.
  await expectText(room.page.locator("form"), /dot\.png \d+ B/)
  await room.box.fill(long)
  await room.box.press("Enter")
  const answer = await model.next()
  answer.say("```ts\nconst answer = 42\n```")
  answer.end()
  await expectText(room.status, "Ready")
  await room.replies.last().locator(".text-code-keyword", { hasText: "const" }).waitFor()
  await room.mine.last().getByRole("img", { name: "dot.png" }).waitFor()
  const height = async () => (await room.mine.last().locator("[data-part]").first().boundingBox())?.height ?? 0
  expect(await height()).toBeLessThan(320)
  await room.mine.last().getByRole("button", { name: "Show more" }).click()
  await expect.poll(height).toBeGreaterThan(1_000)
})

test("[MSG-5, MSG-11, MSG-12] what is rolled back is previewed as text, is one line, and can be read", async () => {
  const room = await open("cut")
  await room.say("Tell me")
  const bold = await model.next("Tell me")
  bold.say("Some **bold** words")
  bold.end()
  await expectText(room.replies.last(), "Some bold words")
  await expectText(room.status, "Ready")
  await answered(room, "And **more**", "The end.")
  await room.mine.first().hover()
  await room.mine.first().getByRole("button", { name: "More actions for this message" }).click()
  await room.page.getByRole("menuitem", { name: "Roll back to here" }).click()
  const dialog = room.page.getByRole("dialog", { name: "Roll back" })
  await expectText(dialog, /host: Some bold words You: And more/)
  await dialog.getByRole("button", { name: "Roll back" }).click()
  const line = room.log.getByRole("region", { name: /^Rolled back/ })
  await expectText(line, "3 messages rolled back")
  await expectCount(room.replies, 0)
  await line.getByRole("button", { name: "Show" }).click()
  await expectText(room.replies.last(), "The end.")
  for (const colorScheme of ["light", "dark"] as const) {
    await room.page.emulateMedia({ colorScheme })
    expect(await barriers(room.page)).toEqual([])
  }
})

test("[MSG-15] the end of a chapter is marked, and undone in its place", async () => {
  const room = await open("chapter")
  await answered(room, "Hello", "Good day.")
  const compacting = parlor.sdk.conversation("host", "chapter").compact({ keepTurns: 0 })
  const summary = await model.next()
  summary.say("We said hello.")
  summary.end()
  await compacting
  const mark = room.log.getByRole("region", { name: "Chapter: We said hello." })
  await mark.getByRole("button", { name: "Undo" }).click()
  await expectCount(mark, 0)
})

test("[MSG-16] editing a queued message in two windows says so in both", async () => {
  const room = await open("shared")
  await room.say("First")
  const answer = await model.next("First")
  answer.say("Wait")
  await expectText(room.replies.last(), "Wait")
  await room.say("Second")
  await room.act("Second", "Edit: Second")
  const other = roomOf(await room.page.context().newPage())
  await other.page.goto(`${parlor.url}/#/host/shared`)
  await other.waiting("Second").waitFor()
  await other.act("Second", "Edit: Second")
  await expectText(other.queue, "Also being edited in another window")
  await expectText(room.queue, "Also being edited in another window")
  answer.end()
})

test("[TAB-10] while a file is dragged over it, nothing shines through the drop area", async () => {
  const room = await open("dropped")
  const alpha = await room.box.evaluate((box) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(["x"], "x.txt"))
    box.dispatchEvent(new DragEvent("dragenter", { bubbles: true, dataTransfer }))
    return new Promise<number>((resolve) => {
      requestAnimationFrame(() => {
        const area = [...document.querySelectorAll("p")].find(({ textContent }) => textContent === "Drop to attach")
        const color = getComputedStyle(area?.parentElement ?? document.body).backgroundColor
        const canvas = document.createElement("canvas").getContext("2d")
        if (canvas === null) return resolve(0)
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
        resolve((canvas.getImageData(0, 0, 1, 1).data[3] ?? 0) / 255)
      })
    })
  })
  expect(alpha).toBeGreaterThanOrEqual(0.95)
})

/** A picture of one pixel. */
const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
