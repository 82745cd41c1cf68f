import type { ComposerInput, MessageRow } from "@parlor/protocol"
import type { Locator, Page, Route } from "playwright-core"
import { expect, test } from "vitest"
import { useBrowser } from "./browser.ts"
import { useStage } from "./parlor.ts"
import { expectCount, expectText, expectWritten, type Room, roomOf } from "./room.ts"

const SENDS = "**/v1/conversations/*/*/messages"
const UPLOADS = "**/v1/attachments*"
const EDITOR = /RichBox-[^/]+\.js$/
const stage = useStage({ commanding: true })
const browser = useBrowser()

/** The page with its editor in place, ready for typing. */
async function open(page?: Page): Promise<Room> {
  const room = roomOf(page ?? (await browser.page(stage().parlor.address)))
  await arrive(room)
  await expectText(room.status, "Ready")
  await expectFocused(editorOf(room))
  return room
}

async function expectFocused(where: Locator): Promise<void> {
  await expect.poll(() => where.evaluate((box) => document.activeElement === box)).toBe(true)
}

/** The editor loads at the first interaction. */
async function arrive(room: Room): Promise<void> {
  await room.box.waitFor()
  await room.page.mouse.move(400, 300)
  await room.page.mouse.move(410, 300)
  await editorOf(room).waitFor()
}

const editorOf = (room: Room): Locator => room.page.locator(".composer-box")
const chips = (room: Room): Promise<readonly string[]> => editorOf(room).locator(".chip").allInnerTexts()
const options = (room: Room): Locator => room.page.getByRole("option")
const tray = (room: Room): Locator => room.page.getByRole("list", { name: "Attachments" })
const expectChips = (room: Room, wanted: readonly string[]): Promise<void> =>
  expect.poll(() => chips(room)).toEqual(wanted)
const type = (room: Room, text: string): Promise<void> => room.page.keyboard.type(text)
const press = (room: Room, key: string): Promise<void> => room.page.keyboard.press(key)

async function messages(agent = "host"): Promise<readonly MessageRow[]> {
  return (await stage().parlor.sdk.conversation(agent).open()).messages
}

async function lastSent(): Promise<ComposerInput | null> {
  return (await messages()).findLast(({ role }) => role === "person")?.composer ?? null
}

const raws = (input: ComposerInput | null) => (input?.nodes ?? []).map(({ kind, raw }) => `${kind} ${raw}`)

/** A valid image for the browser and the server. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=="

/** Pastes or drops files as a browser does. */
async function give(room: Room, how: "paste" | "drag" | "drop", ...names: readonly string[]): Promise<void> {
  await editorOf(room).evaluate(
    (box, { how, names, png }) => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob(png), (one) => one.charCodeAt(0))
      for (const name of names) {
        const isPicture = name.endsWith(".png")
        data.items.add(new File([isPicture ? bytes : `text of ${name}`], name, { type: isPicture ? "image/png" : "" }))
      }
      const init = { bubbles: true, cancelable: true }
      if (how === "paste") box.dispatchEvent(new ClipboardEvent("paste", { ...init, clipboardData: data }))
      const kinds = { paste: [], drag: ["dragenter", "dragover"], drop: ["dragenter", "dragover", "drop"] }
      for (const kind of kinds[how])
        box
          .closest("main")
          ?.querySelector("footer")
          ?.dispatchEvent(new DragEvent(kind, { ...init, dataTransfer: data }))
    },
    { how, names, png: PNG },
  )
}

/** Bytes per second: the upload below takes longer than the test. */
const SLOW_LINE = 40_000

/** A slow connection: progress is visible, and a file removed during the upload does not arrive. */
async function expectProgress(room: Room): Promise<void> {
  const cdp = await room.page.context().newCDPSession(room.page)
  await cdp.send("Network.enable")
  const line = { offline: false, latency: 0, downloadThroughput: -1 }
  await cdp.send("Network.emulateNetworkConditions", { ...line, uploadThroughput: SLOW_LINE })
  const stopped = room.page.waitForEvent("requestfailed", (request) => request.url().includes("/v1/attachments"))
  const big = { name: "big.txt", mimeType: "text/plain", buffer: Buffer.alloc(900_000, "a line\n") }
  await room.page.locator('input[type="file"]').setInputFiles([big])
  await expectText(tray(room), /big\.txt Uploading [1-9]\d?%, 879 KB/)
  const bar = tray(room).getByRole("progressbar", { name: "Uploading big.txt" })
  expect(Number(await bar.getAttribute("aria-valuenow"))).toBeGreaterThan(0)
  await tray(room).getByRole("button", { name: "Remove big.txt" }).click()
  expect((await stopped).failure()?.errorText).toContain("ABORTED")
  await cdp.send("Network.emulateNetworkConditions", { ...line, uploadThroughput: -1 })
  await cdp.detach()
  await expectText(tray(room), /^small\.png \d+ B$/)
}

/** Copies the selection, pastes it after itself, and returns it as plain text. */
async function copyAndPaste(room: Room): Promise<string> {
  // The browser reports a new selection to the editor asynchronously.
  const heard = () =>
    editorOf(room).evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))))
  await heard()
  const clipboard = await editorOf(room).evaluateHandle((box) => {
    const data = new DataTransfer()
    box.dispatchEvent(new ClipboardEvent("copy", { bubbles: true, cancelable: true, clipboardData: data }))
    return data
  })
  await press(room, "ArrowRight")
  await heard()
  return editorOf(room).evaluate((box, data) => {
    box.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data }))
    return data.getData("text/plain")
  }, clipboard)
}

test("[TAB-10, CMP-3, CMP-4] a message with a command, an agent and a file is written with the keyboard alone", async () => {
  const { parlor, model } = stage()
  await parlor.sdk.conversation("host").files.write("src/main.ts", "export {}")
  const room = await open()
  await type(room, "🦀 /dep")
  await expectText(options(room), "deploy <environment> [count] Puts it out.")
  const active = () => room.box.getAttribute("aria-activedescendant")
  const first = await attribute(options(room).first(), "id")
  await expect.poll(active).toBe(first)
  expect(await room.page.locator(`#${escaped(await attribute(room.box, "aria-controls"))}`).getAttribute("role")).toBe(
    "listbox",
  )
  await press(room, "Enter")
  await expectChips(room, ["/deploy"])
  await expectText(
    room.page.locator("form"),
    "/deploy <environment> [count] Where to /deploy still needs: environment.",
  )
  await press(room, "Enter")
  await expectText(room.page.getByRole("alert"), "Press Enter again to send it anyway")
  await type(room, "staging")
  await press(room, "Shift+Enter")
  await type(room, "with @cri")
  await expectText(options(room), "critic Finds the weak spot.")
  await press(room, "Tab")
  await type(room, "see @")
  await expectCount(options(room), 2)
  await press(room, "ArrowUp")
  await expectText(room.page.locator("[role=option][aria-selected=true]"), "src/main.ts")
  await press(room, "Enter")
  await expectChips(room, ["/deploy", "@critic", "@src/main.ts"])
  await press(room, "Backspace")
  await press(room, "Backspace")
  await expectChips(room, ["/deploy", "@critic"])
  await press(room, "Control+z")
  await expectChips(room, ["/deploy", "@critic", "@src/main.ts"])
  await press(room, "Home")
  for (let steps = 0; steps < "with ".length + 1; steps++) await press(room, "ArrowRight")
  await type(room, "!")
  await expectWritten(room, "🦀 /deploy staging\nwith @critic! see @src/main.ts ")
  await press(room, "End")
  await type(room, "and @host, pasted as text")
  await press(room, "Enter")
  const answer = await model.next()
  answer.say("Done.")
  answer.end()
  await expectText(room.log, "Done.")
  const sent = await lastSent()
  expect(sent?.source).toBe("🦀 /deploy staging\nwith @critic! see @src/main.ts and @host, pasted as text")
  expect(raws(sent)).toEqual(["slash_command /deploy", "mention @critic", "file @src/main.ts", "mention @host"])
  expect(sent?.nodes?.[0]?.start).toBe(3)
  await expectWritten(room, "")
})

test("[CMP-8, TAB-10] the list follows the conversation's commands while it is open, and gives way to what is typed", async () => {
  const { parlor } = stage()
  const elsewhere = parlor.sdk.conversation("host")
  const room = await open()
  await type(room, "/")
  await expectCount(options(room), 2)
  await press(room, "ArrowDown")
  await expectText(room.page.locator("[role=option][aria-selected=true]"), "help")
  await elsewhere.send("learn brew")
  await expectText(options(room), /brew Learned just now\. \/deploy .* \/help/)
  await expectText(room.page.locator("[role=option][aria-selected=true]"), "help")
  await elsewhere.send("forget brew")
  await expectCount(options(room), 2)
  await type(room, "tmp")
  await expectText(room.page.locator("form"), "No command named “tmp”")
  await press(room, "Escape")
  await expectCount(room.page.getByRole("listbox"), 0)
  await type(room, "x")
  await expectCount(room.page.getByRole("listbox"), 0)
  await room.clear()
  await type(room, "@")
  await options(room).filter({ hasText: "critic" }).click()
  await expectChips(room, ["@critic"])
  await press(room, "Control+a")
  expect(await copyAndPaste(room)).toBe("@critic ")
  await expectChips(room, ["@critic", "@critic"])
  await room.box.fill("Written out: @critic")
  await options(room).first().waitFor()
  await press(room, "Enter")
  await expectText(room.mine.last(), "Written out: @critic")
  await expectCount(room.page.getByRole("listbox"), 0)
})

test("[TAB-10] an input method composes in peace: its Enter sends nothing, and what it made is sent whole", async () => {
  const { model } = stage()
  const room = await open()
  const cdp = await room.page.context().newCDPSession(room.page)
  await type(room, "Say ")
  for (const text of ["k", "か", "かn", "かん"])
    await cdp.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length })
  await editorOf(room).evaluate((box) =>
    box.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, isComposing: true, bubbles: true, cancelable: true }),
    ),
  )
  await expectWritten(room, "Say かん")
  await cdp.send("Input.insertText", { text: "漢" })
  await expectWritten(room, "Say 漢")
  await expectCount(room.mine, 0)
  await press(room, "Enter")
  expect((await model.next()).asked).toBe("Say 漢")
})

test("[TAB-10, CMP-15] files by paste and drop: shown, tried again, kept with the draft, back after a refusal, sent", async () => {
  browser.expectErrors(/ERR_FAILED/, /422/)
  const { model } = stage()
  const room = await open()
  let isRefusing = true
  await room.page.context().route(UPLOADS, (route: Route) => (isRefusing ? route.abort() : route.continue()))
  await type(room, "Look, @cri")
  await options(room).first().waitFor()
  await press(room, "Tab")
  await give(room, "paste", "small.png")
  await expectText(tray(room), "small.png Can't reach the server.")
  await press(room, "Enter")
  await expectText(room.page.getByRole("alert").first(), "small.png failed to upload")
  isRefusing = false
  await tray(room).getByRole("button", { name: "Retry small.png" }).click()
  await expectText(tray(room), /^small\.png \d+ B$/)
  const width = () =>
    tray(room)
      .locator("img")
      .evaluate((img) => (img as HTMLImageElement).naturalWidth)
  await expect.poll(width).toBe(1)
  await expectProgress(room)
  await give(room, "drag", "notes.ts")
  await expectText(room.page.getByRole("main"), "Drop to attach Images, PDFs, text and audio, up to 20 MB each")
  await give(room, "drop", "notes.ts", "gone.ts")
  await expectCount(tray(room).getByRole("listitem"), 3)
  await tray(room).getByRole("button", { name: "Remove gone.ts" }).click()
  await expectCount(room.page.getByText("Drop to attach"), 0)
  await expectText(tray(room), /small\.png \d+ B notes\.ts 16 B/)
  await room.page.reload()
  await editorOf(room).waitFor()
  await expectText(tray(room), /small\.png \d+ B notes\.ts 16 B/)
  await expectWritten(room, "Look, @critic ")
  await expectChips(room, ["@critic"])

  let refusals = 0
  await room.page.context().route(SENDS, (route) => {
    if (route.request().method() !== "POST" || refusals++ > 0) return route.continue()
    const problem = { type: "about:blank", title: "No", status: 422, code: "text.malformed", detail: "No." }
    return route.fulfill({ status: 422, contentType: "application/problem+json", body: JSON.stringify(problem) })
  })
  await room.box.press("Enter")
  await expectText(room.page.getByRole("alert"), "can't be sent")
  await expectWritten(room, "Look, @critic ")
  await expectChips(room, ["@critic"])
  await expectText(tray(room), /small\.png \d+ B notes\.ts 16 B/)
  await room.box.press("Enter")
  const answer = await model.next()
  answer.say("Seen.")
  answer.end()
  await expectText(room.mine, /Look, @critic.*small\.png.*notes\.ts/)
  await expectCount(tray(room), 0)
  expect((await messages())[0]?.parts.filter(({ type }) => type === "attachment")).toMatchObject([
    { name: "small.png", mediaType: "image/png" },
    { name: "notes.ts", mediaType: "text/plain" },
  ])
  await expectText(room.status, "Ready")
  const mine = room.mine.first()
  await mine.getByRole("img", { name: "small.png" }).waitFor()
  const saved = room.page.waitForEvent("download")
  await mine.getByRole("button", { name: /^Download notes\.ts/ }).click()
  expect((await saved).suggestedFilename()).toBe("notes.ts")
  await mine.hover()
  await mine.getByRole("button", { name: "Edit", exact: true }).click()
  await room.log.getByRole("textbox", { name: "Edit message" }).press("Enter")
  await expectText(room.log.getByRole("group", { name: "Versions" }), "2/2")
  await expectText(mine, /small\.png.*notes\.ts/)
})

test("[TAB-9, TRN-9] while busy one chooses what Enter does, the other key does the other, and ↑ edits what waits", async () => {
  const { parlor, model } = stage()
  const room = await open()
  await room.say("The first")
  const answer = await model.next()
  answer.say("Working")
  const choice = room.page.getByRole("radiogroup", { name: "While host is replying" })
  await choice.getByRole("radio", { name: "Add to current reply" }).click()
  await expectText(room.page.locator("form"), "host is replying: your message will be added to the reply")
  await room.box.fill("Shorter")
  await expectText(room.page.locator("form"), "Enter to add this to the current reply · Ctrl+Enter to queue it")
  await expect.poll(() => room.send.getAttribute("aria-label")).toBe("Add to current reply")
  await room.box.press("Enter")
  await expectText(room.queue, "Shorter adding to current reply")
  await room.box.fill("Later")
  await room.box.press("Control+Enter")
  await expectText(room.queue, /Shorter adding to current reply Later next/)
  await room.page.reload()
  await arrive(room)
  await expectText(
    room.page.locator("form"),
    "your message will be added to the reply · ↑ to edit the last queued message",
  )
  await room.box.press("ArrowUp")
  const editor = room.page.getByRole("textbox", { name: "Edit queued message" })
  await editor.fill("Much later")
  await editor.press("Enter")
  await expectText(room.queue, "Much later next")
  answer.end()
  expect((await model.next()).asked).toContain("Shorter")
  expect(await parlor.sdk.conversation("host").open()).toMatchObject({ queue: [{ mode: "immediate" }] })
})

test("[LOG-12, TAB-10] offline: what waits is shown, can be taken back with its chips, and arrives once", async () => {
  browser.expectErrors(/ERR_INTERNET_DISCONNECTED/)
  const { model } = stage()
  const room = await open()
  const context = room.page.context()
  const waiting = room.page.getByRole("region", { name: "Waiting to be sent" })
  await context.setOffline(true)
  await type(room, "Ask @cri")
  await options(room).filter({ hasText: "critic" }).waitFor()
  await press(room, "Tab")
  await type(room, "first")
  await press(room, "Enter")
  await expectText(waiting, "Offline: will be sent when you are back online Try now Ask @critic first")
  await expectWritten(room, "")
  await waiting.getByRole("button", { name: /^Cancel/ }).click()
  await expectCount(waiting, 0)
  await expectWritten(room, "Ask @critic first")
  await expectChips(room, ["@critic"])
  await room.box.press("Enter")
  await expectText(waiting, "Ask @critic first")
  await context.setOffline(false)
  const answer = await model.next()
  answer.say("Here.")
  answer.end()
  await expectCount(waiting, 0)
  await expectText(room.log, "Here.")
  expect((await messages()).map(({ role }) => role)).toEqual(["person", "agent"])
})

test("[TAB-10] the plain box hands its words, caret and focus over to the editor; two windows keep their own drafts", async () => {
  const { parlor } = stage()
  const context = await browser.person()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await context.route(EDITOR, async (route) => {
    await held
    await route.continue()
  })
  const room = roomOf(await context.newPage())
  await room.page.goto(parlor.address)
  await room.page.locator("textarea").waitFor()
  await expectText(room.status, "Ready")
  await expectFocused(room.page.locator("textarea"))
  await type(room, "Hello there")
  for (let steps = 0; steps < " there".length; steps++) await press(room, "ArrowLeft")
  const typing = room.page.keyboard.type(", you over", { delay: 15 })
  release()
  await typing
  await editorOf(room).waitFor()
  await type(room, "!")
  await expectWritten(room, "Hello, you over! there")
  await expectFocused(editorOf(room))

  const other = roomOf(await context.newPage())
  await other.page.goto(parlor.url)
  await arrive(other)
  await expectWritten(other, "Hello, you over! there")
  await other.box.fill("Mine")
  await room.page.bringToFront()
  await press(room, "End")
  await type(room, " again")
  for (const [window, text] of [
    [other, "Mine"],
    [room, "Hello, you over! there again"],
  ] as const) {
    await expectWritten(window, text)
    await window.page.reload()
    await arrive(window)
    await expectWritten(window, text)
  }
})

async function attribute(where: Locator, name: string): Promise<string> {
  return (await where.getAttribute(name)) ?? ""
}

/** React's ids contain characters that must be escaped in a selector. */
function escaped(id: string): string {
  return id.replace(/[^\w-]/g, (one) => `\\${one}`)
}
