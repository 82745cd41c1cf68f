import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { LinkNote } from "./LinkBar.tsx"
import { BACK_MS, fine, followLink, type Link, linkWords, type Sight, type Stream } from "./link.ts"

const live: Stream = { connection: "live", reconnectAt: null }
const connecting: Stream = { connection: "connecting", reconnectAt: null }
const offline = (reconnectAt: number | null = null): Stream => ({ connection: "offline", reconnectAt })
const whole: Sight = { isOnline: true, streams: [live, live], at: 1_000 }
const after = (...sights: readonly Partial<Sight>[]) =>
  sights.reduce<Link>((link, sight) => followLink(link, { ...whole, ...sight }), fine)

describe("the page's connection", () => {
  it("[TAB-13] shows nothing while connecting and while connected", () => {
    expect(after({ streams: [] }, { streams: [connecting] }, {})).toBe(fine)
    expect(linkWords(fine)).toBeUndefined()
  })

  it("[TAB-13] is lost when any stream is lost or the machine is offline", () => {
    expect(after({ streams: [live, offline()] })).toEqual({ state: "lost", isOnline: true, reconnectAt: null })
    expect(after({ isOnline: false })).toMatchObject({ state: "lost", isOnline: false })
    const lost = after({ streams: [offline()] })
    expect(followLink(lost, { ...whole, streams: [offline()], at: 9_000 })).toBe(lost)
    expect(followLink(lost, { ...whole, isOnline: false, at: 9_000 })).toMatchObject({ isOnline: false })
  })

  it("[TAB-13] shows when the first stream reconnects, and that it is reconnecting while none waits", () => {
    const lost = after({ streams: [offline(9_000), offline(7_000)] })
    expect(lost).toEqual({ state: "lost", isOnline: true, reconnectAt: 7_000 })
    const one = followLink(lost, { ...whole, streams: [offline(9_000), offline()] })
    expect(one).toMatchObject({ reconnectAt: 9_000 })
    expect(followLink(one, { ...whole, streams: [offline(9_000), connecting] })).toBe(one)
    expect(followLink(one, { ...whole, streams: [offline(), live] })).toMatchObject({ reconnectAt: null })
  })

  it("[TAB-13] stays lost until every stream is connected, then briefly says so", () => {
    const lost = after({ streams: [offline(), offline()] })
    expect(followLink(lost, { ...whole, streams: [live, connecting] })).toBe(lost)
    expect(followLink(lost, { ...whole, streams: [] })).toBe(lost)
    const back = followLink(lost, { ...whole, at: 5_000 })
    expect(back).toEqual({ state: "back", since: 5_000 })
    expect(followLink(back, { ...whole, at: 5_000 + BACK_MS - 1 })).toBe(back)
    expect(followLink(back, { ...whole, at: 5_000 + BACK_MS })).toBe(fine)
    expect(followLink(back, { ...whole, streams: [offline()], at: 5_100 }).state).toBe("lost")
  })

  it("[TAB-13] the message says what happens to unsent text", () => {
    const shown = (link: Link) => renderToStaticMarkup(<LinkNote link={link} />)
    const unplugged: Link = { state: "lost", isOnline: false, reconnectAt: null }
    expect(shown(unplugged)).toMatch(/You&#x27;re offline\..*are saved and will be sent/)
    expect(shown(unplugged)).not.toMatch(/Try now|Trying again/)
    expect(shown({ ...unplugged, isOnline: true })).toMatch(/Can&#x27;t reach Parlor\..*Try now/)
    expect(shown({ state: "back", since: 0 })).toContain("Back online")
    expect(shown(fine)).toMatch(/^<div role="status" aria-label="Connection"[^>]*><\/div>$/)
  })

  it("[TAB-13, TAB-27] counts down to the next attempt, and does not announce every second to screen readers", () => {
    const shown = (reconnectAt: number | null) =>
      renderToStaticMarkup(<LinkNote link={{ state: "lost", isOnline: true, reconnectAt }} />)
    const inEight = shown(Date.now() + 7_600)
    expect(inEight).toMatch(/Retrying<span aria-hidden="true"[^>]*> in 8 s<\/span>/)
    expect(shown(null)).toMatch(/Retrying<span aria-hidden="true"[^>]*> now<\/span>/)
    const heard = (html: string) => html.replace(/<span aria-hidden="true".*?<\/span>/g, "")
    expect(heard(inEight)).toBe(heard(shown(null)))
  })
})
