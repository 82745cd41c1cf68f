import { mkdirSync } from "node:fs"
import { chromium, type Page } from "playwright-core"
import { test } from "vitest"
import { useStage } from "./parlor.ts"
import { roomOf } from "./room.ts"

const stage = useStage({ asking: true })
const folder = "/tmp/shots3"
test("shots", { timeout: 120_000 }, async () => {
  mkdirSync(folder, { recursive: true })
  const { parlor, model } = stage()
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  })
  const looks = {
    light: { colorScheme: "light", viewport: { width: 1180, height: 780 } },
    dark: { colorScheme: "dark", viewport: { width: 1180, height: 780 } },
    phone: {
      colorScheme: "light",
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      deviceScaleFactor: 2,
    },
  } as const
  const pages: Record<string, Page> = {}
  for (const [name, look] of Object.entries(looks)) {
    const page = await (await browser.newContext({ reducedMotion: "reduce", ...look })).newPage()
    await page.goto(parlor.address)
    await roomOf(page).box.waitFor()
    pages[name] = page
  }
  const shoot = async (what: string) => {
    await new Promise((r) => setTimeout(r, 500))
    for (const [name, page] of Object.entries(pages)) await page.screenshot({ path: `${folder}/${what}-${name}.png` })
  }
  const room = roomOf(pages["light"] as Page)
  await room.say("Tell me about bread")
  const a = await model.next()
  a.say("Bread is flour, water, salt and time. The rest is a matter of taste, and of the oven you have.")
  await room.stop.waitFor()
  await room.say("Compare rye and wheat, in a table")
  await room.say(
    "Write a shopping list for two loaves, one of each, and tell me what I can prepare the evening before so that the morning is short",
  )
  await room.say("Translate it to French")
  await room.act("Translate", "Pause")
  const key = (await (
    await fetch(`${parlor.url}/v1/keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${parlor.token}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "bot" }),
    })
  ).json()) as { secret: string }
  await fetch(`${parlor.url}/v1/conversations/host/main/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${key.secret}`, "content-type": "application/json" },
    body: JSON.stringify({ text: "Nightly report" }),
  })
  await room.steer("Keep it short, please")
  await room.waiting("Keep it").waitFor()
  for (const page of Object.values(pages)) await roomOf(page).box.fill("And one more thing")
  await room.waiting("Compare").hover()
  await shoot("queue")
  await room.waiting("Compare").getByRole("button", { name: /^Edit/ }).click()
  await (pages["dark"] as Page).getByRole("button", { name: /Edit: Translate/ }).click()
  await (pages["phone"] as Page).getByRole("button", { name: /Edit: Write/ }).click()
  await shoot("edit")
  for (const page of Object.values(pages)) {
    await page.getByRole("button", { name: "Cancel" }).click()
    await roomOf(page).box.fill("")
  }
  await room.stop.click()
  await shoot("held")
  await (pages["phone"] as Page).getByRole("button", { name: "Clear all" }).click()
  await room.act("Translate", "Remove")
  await shoot("removed")
  await room.queue.getByRole("button", { name: "Clear all" }).click()
  await room.queue.getByRole("button", { name: "Remove", exact: true }).first().click()
  await room.page.getByRole("button", { name: "Dismiss" }).click()
  await room.say("Clean up my notes")
  const b = await model.next()
  b.say("I will look for what is not needed any more.")
  b.call("delete_file", { path: "notes/2019/old-shopping-list.md" })
  await room.log.getByRole("button", { name: "Allow" }).waitFor()
  await shoot("approval")
  await room.log.getByRole("button", { name: "Allow" }).click()
  const c = await model.next()
  c.call("ask_person", {
    question: "Shall I keep the drafts, or put them into one file?",
    options: ["Keep them", "One file", "Ask me later"],
    expiresInMs: 60_000,
  })
  await room.log.getByRole("button", { name: "One file" }).waitFor()
  await shoot("question")
  await room.log.getByRole("button", { name: "One file" }).click()
  const d = await model.next()
  d.call("book_table", {})
  await room.log.getByText("A quiet corner").waitFor()
  await room.log.getByRole("button", { name: "Answer" }).click()
  await shoot("form")
  await room.log.getByRole("textbox", { name: "Name" }).fill("Ada")
  await room.log.getByRole("button", { name: "Answer" }).click()
  const e = await model.next()
  e.say("The table is booked, and now I will")
  model.failNext({ status: 503, retryAfterSeconds: 8, message: "The server is overloaded" })
  await room.log.getByText("and now I will").waitFor()
  e.breakOff()
  await new Promise((r) => setTimeout(r, 1500))
  await shoot("retrying")
  await room.stop.click()
  await room.say("Once more")
  model.failNext({ status: 401, message: "Incorrect API key" })
  await shoot("next")
  const f = await model.next()
  await room.steer("go")
  await room.say("After that")
  f.say("Yes.")
  f.end()
  await shoot("error")
  await browser.close()
})
