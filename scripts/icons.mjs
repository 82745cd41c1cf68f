/** Draws the icons of the installed app from the favicon, into packages/web/public. Run it when the favicon changes. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { chromium } from "playwright-core"
import { ensureBrowser } from "./browser.mjs"
import { root } from "./setup.mjs"

const svg = readFileSync(join(root, "packages/web/src/favicon.svg"), "utf8")
/** A mask may cut off everything outside a circle of 80 % of the width, so the square fills the whole image. */
const bleeding = svg.replace('rx="9"', "").replaceAll("<path", '<path transform="translate(4.8 4.8) scale(0.7)"')

const browser = await chromium.launch({ executablePath: ensureBrowser(), args: ["--no-sandbox"] })
for (const [name, size, image] of /** @type {const} */ ([
  ["icon-192", 192, svg],
  ["icon-512", 512, svg],
  ["icon-maskable-512", 512, bleeding],
  ["apple-touch-icon", 180, svg.replace('rx="9"', "")],
])) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>*{margin:0}svg{display:block;width:100vw;height:100vh}</style>${image}`)
  await page.screenshot({ path: join(root, "packages/web/public", `${name}.png`), omitBackground: true })
}
await browser.close()
