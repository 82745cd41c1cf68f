import { BellRing } from "lucide-react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { Button } from "./Button.tsx"
import { IconButton } from "./IconButton.tsx"
import { Kbd } from "./Kbd.tsx"
import { Switch } from "./Switch.tsx"
import { Toast, Toasts } from "./Toast.tsx"
import { Tooltip } from "./Tooltip.tsx"
import { tipPlace } from "./tipPlace.ts"

const view = { width: 400, height: 300 }
const tip = { width: 100, height: 30 }

describe("a tooltip", () => {
  it("stands below the middle of what it is about", () => {
    expect(tipPlace({ left: 180, top: 100, width: 40, height: 20 }, tip, view)).toEqual({ left: 150, top: 126 })
  })

  it("stays in the window, and goes above where there is no room below", () => {
    expect(tipPlace({ left: 0, top: 0, width: 20, height: 20 }, tip, view).left).toBe(8)
    expect(tipPlace({ left: 390, top: 0, width: 20, height: 20 }, tip, view).left).toBe(292)
    expect(tipPlace({ left: 180, top: 270, width: 40, height: 20 }, tip, view).top).toBe(234)
    expect(tipPlace({ left: 0, top: 5, width: 20, height: 290 }, tip, view).top).toBe(8)
  })

  it("is an attribute of its element, with the keys", () => {
    const shown = renderToStaticMarkup(
      <Tooltip says="Find anything" keys="Ctrl+K">
        <a href="#x">Find</a>
      </Tooltip>,
    )
    expect(shown).toBe('<a href="#x" data-tip="Find anything" data-tip-keys="Ctrl+K">Find</a>')
  })
})

describe("the small parts", () => {
  it("[TAB-27, TAB-31] a button with a picture has a name, a tooltip and room for a finger", () => {
    const shown = renderToStaticMarkup(
      <IconButton label="Stop" keys="Esc">
        <i />
      </IconButton>,
    )
    expect(shown).toContain('type="button" aria-label="Stop" data-tip="Stop" data-tip-keys="Esc"')
    expect(shown).toContain("pointer-coarse:size-10")
    expect(renderToStaticMarkup(<Button>Go</Button>)).toContain("pointer-coarse:min-h-10")
    expect(renderToStaticMarkup(<Kbd>Esc</Kbd>)).toMatch(/^<kbd[^>]*>Esc<\/kbd>$/)
  })

  it("[TAB-27] a switch says what it switches and whether it is on", () => {
    const shown = renderToStaticMarkup(<Switch label="Notify me" hint="When hidden" isOn onChange={() => undefined} />)
    const id = /id="([^"]+)-hint"/.exec(shown)?.[1]
    expect(shown).toContain(`for="${id}"`)
    expect(shown).toMatch(/role="switch" aria-checked="true"/)
    expect(shown).toContain(`aria-describedby="${id}-hint"`)
  })

  it("[TAB-27] a notice is told to screen readers, in a region of its own", () => {
    const shown = renderToStaticMarkup(
      <Toasts>
        <Toast icon={BellRing} tone="warn" title="host waits" onDismiss={() => undefined}>
          May I?
        </Toast>
      </Toasts>,
    )
    expect(shown).toMatch(/^<section aria-label="Notifications"/)
    expect(shown).toContain('role="status"')
    expect(shown).toContain('aria-label="Dismiss"')
  })
})
