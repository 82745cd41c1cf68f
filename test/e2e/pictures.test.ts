/** [MSG-19] Pictures of messages, enlarged. */
import { afterEach, beforeEach, expect, test } from "vitest"
import { barriers } from "./axe.ts"
import { useBrowser } from "./browser.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectCount } from "./room.ts"

/** 2 × 1 pixels. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGP4z8DwHwyBNBgAAEnICfdn8ptYAAAAAElFTkSuQmCC"

let parlor: TestParlor
beforeEach(async () => {
  parlor = await startParlor()
})
afterEach(() => parlor.close())
const browser = useBrowser()

test.each([
  ["light", 1440, 900],
  ["dark", 390, 844],
] as const)(
  "[MSG-19] a picture opens enlarged with a key and closes again: %s, %i px",
  async (colorScheme, width, height) => {
    const bytes = Uint8Array.from(Buffer.from(PNG, "base64"))
    const { hash } = await parlor.sdk.attachments.add(bytes, { name: "cat.png", mediaType: "image/png" })
    const payload = { source: "Look", nodes: [{ kind: "attachment", start: 4, end: 4, raw: "", hash }] }
    await parlor.sdk.conversation("host").send({ type: "composer_input", payload })
    const page = await browser.page(parlor.address, {
      colorScheme,
      viewport: { width, height },
      reducedMotion: "reduce",
    })
    const small = page.getByRole("button", { name: "Enlarge cat.png" })
    await small.focus()
    await page.keyboard.press("Enter")
    const large = page.getByRole("dialog", { name: "cat.png" })
    await large.locator("img").waitFor()
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press("Escape")
    await expectCount(large, 0)
    expect(await small.evaluate((element) => element === document.activeElement)).toBe(true)
    await small.click()
    await large.getByRole("button", { name: "Close the picture" }).click()
    await expectCount(large, 0)
  },
)
