import fc from "fast-check"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { IconButton } from "./IconButton.tsx"
import { Tooltip, Tooltips } from "./Tooltip.tsx"
import { type Box, tipPlace } from "./tipPlace.ts"

const html = renderToStaticMarkup
const view = { width: 390, height: 700 }
const within = (most: number) => fc.integer({ min: 0, max: most })
const tips = fc.record({ width: fc.integer({ min: 20, max: 288 }), height: fc.integer({ min: 16, max: 90 }) })
/** What one can point at: some of it is in the window. */
const boxes: fc.Arbitrary<Box> = fc
  .record({ left: within(350), top: within(660), width: within(390), height: within(700) })
  .map((box) => ({ ...box, width: Math.min(box.width, 390 - box.left), height: Math.min(box.height, 700 - box.top) }))

describe("where a tooltip goes", () => {
  it("is in the window on a phone, whatever it is about", () => {
    fc.assert(
      fc.property(boxes, tips, (about, tip) => {
        const { left, top } = tipPlace(about, tip, view)
        expect(left).toBeGreaterThanOrEqual(8)
        expect(left + tip.width).toBeLessThanOrEqual(view.width - 7)
        expect(top).toBeGreaterThanOrEqual(6)
        expect(top + tip.height).toBeLessThanOrEqual(view.height)
      }),
    )
  })

  it("covers what it is about only where there is room neither below nor above", () => {
    fc.assert(
      fc.property(boxes, tips, (about, tip) => {
        const end = about.top + about.height
        fc.pre(end + tip.height + 14 <= view.height || about.top >= tip.height + 14)
        const { top } = tipPlace(about, tip, view)
        expect(top >= end || top + tip.height <= about.top).toBe(true)
      }),
    )
  })

  it("begins at the edge when it is wider than the window, so that its first words are read", () => {
    expect(tipPlace({ left: 300, top: 10, width: 30, height: 30 }, { width: 500, height: 20 }, view).left).toBe(8)
  })

  it("stands on whole pixels, where letters are sharp", () => {
    const { left, top } = tipPlace({ left: 100.3, top: 50.7, width: 21, height: 20 }, { width: 40, height: 20 }, view)
    expect([left, top]).toEqual([91, 77])
  })
})

describe("the words of a tooltip", () => {
  it("go onto the one element inside, which keeps what it has", () => {
    const shown = html(
      <Tooltip says="Copy it">
        <button type="button" aria-label="Copy" className="mine">
          C
        </button>
      </Tooltip>,
    )
    expect(shown).toBe('<button type="button" aria-label="Copy" class="mine" data-tip="Copy it">C</button>')
  })

  it("are words, also when somebody's name is among them", () => {
    const shown = html(
      <Tooltip says={'Open "<i>notes</i>"'} keys="&">
        <a href="#n">n</a>
      </Tooltip>,
    )
    expect(shown).toContain('data-tip="Open &quot;&lt;i&gt;notes&lt;/i&gt;&quot;" data-tip-keys="&amp;"')
  })

  it("[TAB-27] are not told twice: nothing stands on the page before somebody points at something", () => {
    const shown = html(
      <Tooltips>
        <IconButton label="Stop" keys="Esc" />
      </Tooltips>,
    )
    expect(shown).toMatch(/^<button[^>]*><\/button>$/)
    expect(shown).not.toMatch(/popover|<kbd/)
  })
})
