import type { Parlor } from "@parlor/client"
import { renderToStaticMarkup } from "react-dom/server"
import { afterEach, describe, expect, it, vi } from "vitest"
import { speakIn } from "../../texts/texts.ts"
import { OwnContext } from "../keep/OwnContext.ts"
import { ownIn } from "../keep/own.ts"
import { PushSwitch } from "./PushSwitch.tsx"
import { keepRecord } from "./pushRecord.ts"
import { workerWords } from "./workerWords.ts"

describe("[APP-12] notifications of this device", () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    speakIn("en", undefined)
  })

  const html = (record?: Parameters<typeof keepRecord>[0]) => {
    const kept = new Map<string, string>()
    const storage = {
      get length() {
        return kept.size
      },
      key: (at: number) => [...kept.keys()][at] ?? null,
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    }
    const own = ownIn("ana", storage, undefined)
    keepRecord(record, own.keep)
    return renderToStaticMarkup(
      <OwnContext value={own}>
        <PushSwitch parlor={{} as Parlor} onOn={() => undefined} />
      </OwnContext>,
    )
  }
  const browserWith = (permission: string) => {
    vi.stubGlobal("Notification", { permission })
    vi.stubGlobal("navigator", { serviceWorker: {} })
    vi.stubGlobal("window", { PushManager: {}, Notification: {}, caches: {} })
  }
  const record = { id: "push_1", showsText: false, at: 0 }

  it("are not offered where the browser cannot", () => {
    vi.stubGlobal("navigator", {})
    expect(html()).toMatch(/Not available here\..*role="switch" aria-checked="false"[^>]*disabled/)
  })

  it("are off until they are turned on", () => {
    browserWith("default")
    expect(html()).toMatch(/even if no window is open\..*role="switch" aria-checked="false"/)
    expect(html()).not.toMatch(/disabled=""|test notification/)
  })

  it("are on, with a test and a choice about words", () => {
    browserWith("granted")
    expect(html(record)).toMatch(/On for this device\..*aria-checked="true".*Show the beginning of messages/)
    expect(html(record)).toMatch(/aria-checked="false".*Send a test notification/)
    expect(html({ ...record, showsText: true }).match(/aria-checked="true"/g)).toHaveLength(2)
  })

  it("are blocked when the browser blocks them, whatever was chosen before", () => {
    browserWith("denied")
    expect(html(record)).toMatch(/Your browser blocks notifications.*aria-checked="false"[^>]*disabled/)
  })

  it("[APP-11] the worker gets its words in the language of the page", () => {
    expect(workerWords().done).toBe("{agent} is done")
    speakIn("de", { notify: { agentIsDone: "{agent} ist fertig" } })
    expect(workerWords()).toMatchObject({ done: "{agent} ist fertig", test: "Notifications work" })
  })
})
