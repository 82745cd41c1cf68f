/**
 * A newcomer's first five minutes, in clicks. `node scripts/newcomer.mjs` prints the table.
 *
 * A click, a tap or a key that submits counts as one; typing, moving the pointer and the file dialog of the system do not.
 * The other column is what ChatGPT's page needs for the same, as its help pages describe it in 2026.
 */
import { writeFileSync } from "node:fs"
import type { Locator, Page } from "playwright-core"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type AccountServer, openAccountServer } from "../providers/account-server.ts"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectCount, expectText, type Room, roomOf } from "./room.ts"

const KEY = "sk-account-key-0123456789abcdefWXYZ"
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==",
  "base64",
)

/** What ChatGPT needs, and why. */
const ELSEWHERE = {
  open: [0, "opens with a box to type in"],
  "first message": [1, "Enter"],
  "connect a model": [5, "its counterpart is an account: Sign up, Continue with the address, password, code, name"],
  "new chat": [1, "New chat"],
  "find it again": [1, "its title in the list"],
  regenerate: [2, "the arrow below the reply, Try again"],
  edit: [2, "the pencil, Send"],
  "attach a picture": [3, "+, Add photos and files, Enter"],
  share: [2, "Share, Create link, which copies it"],
} as const satisfies Readonly<Record<string, readonly [number, string]>>

type StepName = keyof typeof ELSEWHERE

const browser = useBrowser()
let account: AccountServer
let parlor: TestParlor

beforeEach(async () => {
  account = await openAccountServer(KEY)
  account.models = ["claude-sonnet-5-5"]
  parlor = await startParlor({ env: { ...account.env, PARLOR_MODEL: "", PARLOR_LOCAL_MODELS: "off" } })
})
afterEach(async () => {
  await parlor.close()
  await account.close()
})

test("[TAB-45] a newcomer's first five minutes need no more clicks than elsewhere", async () => {
  const context = await browser.person({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" })
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: parlor.url })
  const page = await context.newPage()
  const room = roomOf(page)
  const counts = await walk(page, room)
  const rows = (Object.keys(ELSEWHERE) as StepName[]).map((name) => {
    const [most, why] = ELSEWHERE[name]
    return { name, clicks: counts.get(name) ?? Number.POSITIVE_INFINITY, most, why }
  })
  const { PARLOR_WALK_TABLE: table } = process.env
  if (table !== undefined) writeFileSync(table, tableOf(rows))
  expect(rows.filter(({ clicks, most }) => clicks > most)).toEqual([])
})

/** Does everything, and checks after each step that it worked. */
async function walk(page: Page, room: Room): Promise<ReadonlyMap<StepName, number>> {
  const counts = new Map<StepName, number>()
  let clicks = 0
  const click = async (where: Locator) => {
    clicks += 1
    await where.click()
  }
  const press = async (key: string) => {
    clicks += 1
    await page.keyboard.press(key)
  }
  const step = async (name: StepName, work: () => Promise<void>) => {
    clicks = 0
    await work()
    counts.set(name, clicks)
  }
  const button = (name: string | RegExp) => page.getByRole("button", { name })

  await step("open", async () => {
    await page.goto(parlor.address)
    await room.box.waitFor()
  })
  await step("first message", async () => {
    // The focus is in the box.
    await expect.poll(() => room.box.evaluate((box) => box === document.activeElement)).toBe(true)
    await page.keyboard.type("hello there")
    await press("Enter")
    await expectCount(room.replies, 1)
    await expectCount(room.stop, 0)
  })
  await step("connect a model", async () => {
    await click(button(/Demo model/))
    await click(page.getByRole("dialog").getByRole("button", { name: "Connect Anthropic" }))
    await page.keyboard.type(KEY)
    await press("Enter")
    await expectText(page.getByRole("dialog"), /Key …WXYZ, added/)
    await press("Escape")
    await button("Model: anthropic/claude-sonnet-5-5. Choose another").waitFor()
  })
  await step("new chat", async () => {
    await click(page.getByRole("navigation").getByRole("button", { name: "New chat", exact: true }).first())
    await expectCount(room.mine, 0)
  })
  await room.say("a second conversation")
  await expectText(room.replies, "A real model says so.")
  await step("find it again", async () => {
    await click(page.getByRole("navigation").getByRole("link", { name: /hello there/ }))
    await expectText(room.mine, "hello there")
  })
  await step("regenerate", async () => {
    await room.replies.last().hover()
    await click(room.replies.last().getByRole("button", { name: "Regenerate" }))
    await expectText(room.replies.last(), "A real model says so.")
    await expectCount(room.stop, 0)
  })
  await step("edit", async () => {
    await room.mine.last().hover()
    await click(room.mine.last().getByRole("button", { name: "Edit", exact: true }))
    await page.keyboard.press("End")
    await page.keyboard.type(", again")
    await press("Enter")
    await expectText(room.mine.last(), "hello there, again")
    await expectText(room.replies.last(), "A real model says so.")
    await expectCount(room.stop, 0)
  })
  await step("attach a picture", async () => {
    const choosing = page.waitForEvent("filechooser")
    await click(button(/^Attach files/))
    await (await choosing).setFiles({ name: "dot.png", mimeType: "image/png", buffer: PICTURE })
    await room.box.fill("What is this?")
    // With its size: the upload is done.
    await expectText(page.locator("form"), /dot\.png \d+ B/)
    await press("Enter")
    await expectText(room.mine.last(), "dot.png")
    await expectCount(room.stop, 0)
  })
  await step("share", async () => {
    await click(page.getByRole("main").getByRole("button", { name: "Share", exact: true }))
    await click(page.getByRole("dialog").getByRole("button", { name: "Create link" }))
    await expectText(page.getByRole("dialog"), "Link copied")
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/shared#shr_/)
  })
  return counts
}

type Row = { readonly name: string; readonly clicks: number; readonly most: number; readonly why: string }

function tableOf(rows: readonly Row[]): string {
  const line = (name: string, here: string, there: string, why: string) =>
    `${name.padEnd(18)}${here.padStart(7)}${there.padStart(9)}  ${why}`
  const sum = (of: (row: Row) => number) => String(rows.reduce((total, row) => total + of(row), 0))
  return [
    line("clicks", "Parlor", "ChatGPT", "there"),
    ...rows.map(({ name, clicks, most, why }) => line(name, String(clicks), String(most), why)),
    line(
      "all",
      sum(({ clicks }) => clicks),
      sum(({ most }) => most),
      "",
    ),
  ].join("\n")
}
