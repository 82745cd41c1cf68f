import type { ReactElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { Formulas } from "./Formulas.tsx"
import { formulasIn } from "./formulas.ts"
import { Markdown } from "./Markdown.tsx"
import { harmIn } from "./testing/harm.ts"
import { formulaPayloads, type Hostile, payloads } from "./testing/payloads.ts"

const AT = "http://127.0.0.1:9"
const SHARES = 8
/** Every place with `npm test -- --long`; otherwise every fourth, starting at a random one, and the end. */
const STEP = process.env.PARLOR_LONG === "1" ? 1 : 4

describe("[SEC-6] what a model or a person writes can do no harm, cut at every place", () => {
  it("there are three hundred payloads, each another", () => {
    expect(new Set(payloads.map((payload) => payload(AT))).size).toBeGreaterThanOrEqual(300)
  })

  it.each(Array.from({ length: SHARES }, (_, share) => share))(
    "as markdown, share %i",
    { timeout: 120_000 },
    (share) => {
      const texts = payloads.filter((_, index) => index % SHARES === share)
      expect(harmOf(texts, (text) => <Markdown text={text} streaming />)).toEqual([])
    },
  )

  it("whole, when nothing more comes", { timeout: 60_000 }, () => {
    const wholes = payloads.map((payload) => payload(AT))
    expect(wholes.flatMap((text) => harmIn(renderToStaticMarkup(<Markdown text={text} streaming={false} />)))).toEqual(
      [],
    )
  })

  it("as formulas", { timeout: 120_000 }, () => {
    const drawn = (text: string) => {
      const formulas = formulasIn(text)
      return formulas.has ? <Formulas text={formulas.text} streaming /> : <Markdown text={text} streaming />
    }
    expect(harmOf(formulaPayloads, drawn)).toEqual([])
    const html = renderToStaticMarkup(drawn("$\\href{https://example.com}{x}$ $x^2$"))
    expect(html).toContain('class="katex"')
    expect(html).not.toContain("<a ")
  })

  it("the check itself finds harm", () => {
    const bad = [
      "<img src=x>",
      "<a href='javascript:x'>",
      '<b onclick="x">',
      "<script>",
      "<svg><use href='#x'>",
      "<math>",
    ]
    for (const html of bad) expect(harmIn(html), html).not.toEqual([])
    for (const html of [
      "<p>&lt;img onerror=x&gt;</p>",
      '<a href="https://x.example/" rel="noopener noreferrer nofollow">',
    ])
      expect(harmIn(html), html).toEqual([])
  })
})

/** What came into the page at any cut, with the text up to there. */
function harmOf(payloads: readonly Hostile[], draw: (text: string) => ReactElement): readonly string[] {
  return payloads.flatMap((payload) => {
    const text = payload(AT)
    const from = Math.floor(Math.random() * STEP)
    const cuts = Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1))
    const tried = cuts.filter((cut, index) => index % STEP === from || cut === text)
    return tried.flatMap((cut) =>
      harmIn(renderToStaticMarkup(draw(cut))).map((harm) => `${harm} from ${JSON.stringify(cut)}`),
    )
  })
}
