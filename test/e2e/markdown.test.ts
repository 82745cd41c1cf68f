import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { nastiest, payloads } from "../../packages/web/src/features/markdown/testing/payloads.ts"
import { type Attacker, startAttacker } from "./attacker.ts"
import { useBrowser } from "./browser.ts"
import { type Answer, type SteeredModel, startSteeredModel } from "./model.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectText, roomOf } from "./room.ts"
import { badElements, type Watched, watchElements } from "./watch.ts"

const SEED = Number(process.env.PARLOR_SEED ?? Date.now() % 1_000_000)
const MOST_CHARS_AT_ONCE = 60
const TOGETHER = 12
/** Constructs that may stay unclosed go last, because they would swallow what follows. */
const SWALLOWS = /^(```|~~~|\$\$|<!|<\?|<(script|style|textarea|plaintext|title|xml|listing))/i

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

describe("[SEC-6] what a model or a person writes is shown as safe markdown", { timeout: 240_000 }, () => {
  test("payloads cut at every place", async () => {
    await sufferAll(
      nastiest.map((hostile) => hostile(attacker.url)),
      (text) => Array.from(text),
    )
  })

  test(`three hundred payloads cut at random (seed ${SEED}), as words and as what a tool is given`, async () => {
    const random = randomFrom(SEED)
    const texts = payloads.map((hostile) => hostile(attacker.url))
    await sufferAll(together(texts), (text) => cutAtRandom(text, random))
    const guarded = await openGuarded("host")
    const asking = await ask("Write it down")
    asking.call("write_file", {
      path: "a<img src=x onerror=alert(1)>.md",
      content: texts.join("\n").toWellFormed().replaceAll("\0", ""),
    })
    const after = await model.next()
    after.say("Written.")
    after.end()
    const room = roomOf(guarded.page)
    await expectText(room.replies.last(), "Written.")
    await room.log
      .locator("summary")
      .filter({ hasText: /Wr[io]te/ })
      .click()
    await expectText(room.log, "<svg onload=alert(1)>")
    await expectUnharmed(guarded)
  })

  test("links are marked, lead where they say, and open without a way back", async () => {
    const page = await browser.page(parlor.address)
    const answer = await ask("links")
    answer.say(
      "Read [the manual](https://example.com/manual) or write to <me@example.com>. ![a chart](https://x.test/c.png)",
    )
    answer.end()
    const link = page.getByRole("link", { name: "the manual, opens in a new tab" })
    await link.waitFor()
    expect(await link.getAttribute("href")).toBe("https://example.com/manual")
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer nofollow")
    expect(await link.getAttribute("target")).toBe("_blank")
    expect(await link.getAttribute("title")).toBe("Opens example.com")
    await page.getByRole("link", { name: "a chart, opens in a new tab" }).waitFor()
  })
})

type Cut = (text: string) => readonly string[]
/** `asked`: requests that the page made on its own. `watchElements` would find frames. */
type Guarded = Watched & { readonly agent: string; readonly page: Page; readonly asked: string[] }

/** Distributed over the agents, each with its own page. */
async function sufferAll(texts: readonly string[], cut: Cut): Promise<void> {
  const agents = ["host", "critic", "scribe"]
  const sufferShare = async (agent: string, share: number) => {
    const guarded = await openGuarded(agent)
    const mine = texts.filter((_, index) => index % agents.length === share)
    for (const [index, text] of mine.entries()) await suffer(guarded, text, { cut, end: `The end of ${index}.` })
    await expectUnharmed(guarded)
    await guarded.page.reload()
    await expectText(roomOf(guarded.page, agent).replies.last(), `The end of ${mine.length - 1}.`)
    await expectUnharmed(guarded)
  }
  await Promise.all(agents.map(sufferShare))
}

/** Several per message, with those that swallow what follows at the end of one. */
function together(texts: readonly string[]): readonly string[] {
  const last = texts.filter((text) => SWALLOWS.test(text))
  const others = texts.filter((text) => !SWALLOWS.test(text))
  const count = Math.max(last.length, Math.ceil(others.length / TOGETHER))
  return Array.from({ length: count }, (_, place) => {
    const mine = others.filter((_, index) => index % count === place)
    return [...mine, ...last.slice(place, place + 1)].join("\n\n")
  })
}

async function openGuarded(agent: string): Promise<Guarded> {
  const context = await browser.person()
  const page = await context.newPage()
  const asked: string[] = []
  page.on("request", (request) => request.isNavigationRequest() || asked.push(request.url()))
  const watched = await watchElements(page)
  await page.goto(parlor.address)
  await page.goto(`${parlor.url}/#/${agent}`)
  await expectText(roomOf(page, agent).status, "Ready")
  return { ...watched, agent, page, asked }
}

type Suffering = { readonly cut: Cut; readonly end: string }

/** Sent by the person, and by the model in these pieces, each rendered before the next one arrives. */
async function suffer(guarded: Guarded, text: string, { cut, end }: Suffering): Promise<void> {
  const room = roomOf(guarded.page, guarded.agent)
  // A person cannot send malformed text; a model can.
  const answer = await ask(text.toWellFormed().replaceAll("\0", ""), guarded.agent)
  for (const piece of cut(text)) {
    const drawn = guarded.drawn()
    answer.say(piece)
    await drawn
  }
  answer.say(`\n\n${end}`)
  answer.end()
  await expectText(room.replies.last(), end)
}

async function ask(text: string, agent = "host"): Promise<Answer> {
  const asking = model.next(text)
  await parlor.sdk.conversation(agent).send(text)
  return asking
}

async function expectUnharmed({ page, asked }: Guarded): Promise<void> {
  expect(await badElements(page)).toEqual([])
  expect(attacker.visits).toEqual([])
  const own = [`${parlor.url}/v1/`, `${parlor.url}/assets/`, `${parlor.url}/theme.js`, `${parlor.url}/diagram.js`]
  expect(asked.filter((url) => !own.some((start) => url.startsWith(start)))).toEqual([])
}

function cutAtRandom(text: string, random: () => number): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = at + 1 + Math.floor(random() * MOST_CHARS_AT_ONCE)
    pieces.push(text.slice(at, end))
    at = end
  }
  return pieces
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
