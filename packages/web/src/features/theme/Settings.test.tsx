import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { SettingsList } from "./Settings.tsx"
import { SettingsLink } from "./SettingsLink.tsx"

describe("the settings", () => {
  const html = renderToStaticMarkup(<SettingsList onKeys={() => undefined} onLeave={() => undefined} />)

  it("[TAB-29] choose light, dark or what the system has", () => {
    expect(html).toMatch(/role="(group|radiogroup)"[^>]*aria-label="Theme"/)
    for (const name of ["System", "Light", "Dark"]) expect(html).toContain(`>${name}</button>`)
    expect(html).toMatch(/data-state="on"[^>]*>System</)
  })

  it("cannot switch on what the browser does not have, and say so", () => {
    expect(html).toContain("This browser doesn&#x27;t support notifications.")
    expect(html).toMatch(/role="switch" aria-checked="false"[^>]*disabled/)
  })

  it("[TAB-32] lead to the keys, and their button says its own", () => {
    expect(html).toContain("Keyboard shortcuts")
    expect(renderToStaticMarkup(<SettingsLink />)).toContain('aria-keyshortcuts="Alt+," data-tip-keys="Alt+,"')
  })
})
