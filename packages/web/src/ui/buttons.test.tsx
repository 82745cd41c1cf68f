import { Brain, Check, Trash2 } from "lucide-react"
import { renderToStaticMarkup } from "react-dom/server"
import { afterEach, describe, expect, it, vi } from "vitest"
import { Button } from "./Button.tsx"
import { CopyButton, copyText } from "./CopyButton.tsx"
import { IconButton } from "./IconButton.tsx"
import { Mark } from "./Mark.tsx"
import { SideLink } from "./SideLink.tsx"
import { Switch } from "./Switch.tsx"

const html = renderToStaticMarkup
const nothing = () => undefined
const HOSTILE = `"><img src=x onerror='go()'>&amp;`
const ESCAPED = "&quot;&gt;&lt;img src=x onerror=&#x27;go()&#x27;&gt;&amp;amp;"

afterEach(() => vi.unstubAllGlobals())

describe("a button", () => {
  it("submits no form unless it is told to", () => {
    expect(html(<Button>Go</Button>)).toMatch(/^<button type="button"/)
    expect(html(<Button type="submit">Go</Button>)).toMatch(/^<button type="submit"/)
    expect(html(<IconButton label="Send" type="submit" />)).toContain('type="submit"')
  })

  it("has one look, and what it is given beside that", () => {
    const main = html(<Button look="main">Save</Button>)
    expect(main).toContain("bg-accent")
    expect(main).not.toContain("border-line")
    const quiet = html(<Button className="ml-auto">Save</Button>)
    expect(quiet).toMatch(/class="[^"]*border-line[^"]* ml-auto"/)
    expect(quiet).not.toContain("bg-accent")
    expect(html(<Button look="pill">Save</Button>)).toContain("rounded-full")
    expect(html(<Button>Save</Button>)).not.toMatch(/undefined|false/)
  })

  it("that cannot be pressed says so, in both ways there are", () => {
    expect(html(<Button disabled>Save</Button>)).toMatch(/disabled=""/)
    const off = html(<IconButton label="Send" aria-disabled />)
    expect(off).toContain('aria-disabled="true"')
    expect(off).not.toContain('disabled=""')
    expect(off).toContain("aria-disabled:opacity-40")
  })

  it.each(["small", "main", "plain", "floating"] as const)("[TAB-31] of look %s has room for a finger", (look) => {
    expect(html(<IconButton label="Close" look={look} />)).toContain("pointer-coarse:size-10")
  })

  it("[TAB-27] with a picture has its name once, and shows no keys where there are none", () => {
    const shown = html(
      <IconButton label="Delete">
        <Trash2 aria-hidden />
      </IconButton>,
    )
    expect(shown.match(/aria-label/g)).toHaveLength(1)
    expect(shown).toMatch(/<svg[^>]*aria-hidden="true"/)
    expect(shown).not.toContain("data-tip-keys")
    expect(shown).not.toContain(" title=")
  })

  it("takes a name from anywhere for words only", () => {
    const shown = html(<IconButton label={HOSTILE} keys="<b>" />)
    expect(shown).toContain(`aria-label="${ESCAPED}" data-tip="${ESCAPED}" data-tip-keys="&lt;b&gt;"`)
    expect(html(<Button>{HOSTILE}</Button>)).not.toContain("<img")
  })
})

describe("a button that copies", () => {
  it("is called what it copies, and does not hold the words", () => {
    const shown = html(<CopyButton text="the secret" label="Copy the address" />)
    expect(shown).toContain('aria-label="Copy the address"')
    expect(shown).not.toContain("the secret")
  })

  it("puts the words on the clipboard as they are", async () => {
    const written: string[] = []
    vi.stubGlobal("navigator", { clipboard: { writeText: async (text: string) => void written.push(text) } })
    expect(await copyText("a\n<b>")).toBe("copied")
    expect(written).toEqual(["a\n<b>"])
  })

  it("says that it could not, also where a browser has no clipboard at all", async () => {
    vi.stubGlobal("navigator", { clipboard: { writeText: () => Promise.reject(new Error("not allowed")) } })
    expect(await copyText("a")).toBe("refused")
    vi.stubGlobal("navigator", {})
    expect(await copyText("a")).toBe("refused")
  })
})

describe("a switch", () => {
  const shown = (isOn: boolean, disabled?: boolean) =>
    html(<Switch label="Notify me" isOn={isOn} {...(disabled === undefined ? {} : { disabled })} onChange={nothing} />)

  it("[TAB-27] that is off is not checked, and without a hint it names none", () => {
    expect(shown(false)).toMatch(/role="switch" aria-checked="false"/)
    expect(shown(false)).not.toMatch(/aria-describedby|-hint/)
    expect(shown(true)).toContain('data-state="checked"')
  })

  it("that cannot be switched says so and still shows how it stands", () => {
    expect(shown(true, true)).toMatch(/aria-checked="true"[^>]*disabled=""/)
    expect(shown(true)).not.toContain('disabled=""')
  })

  it("[TAB-27] two of one name have labels of their own", () => {
    const two = html(
      <>
        <Switch label="Same" isOn onChange={nothing} />
        <Switch label="Same" isOn={false} onChange={nothing} />
      </>,
    )
    const labels = [...two.matchAll(/for="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(labels).size).toBe(2)
    for (const id of labels) expect(two).toContain(`id="${id}"`)
  })
})

describe("pictures", () => {
  it("[TAB-27] say nothing to screen readers", () => {
    const shown = html(
      <>
        <Mark className="size-6" />
        <SideLink href="#m" icon={Brain} label="Memory" />
        <CopyButton text="x" label="Copy" />
        <Check />
      </>,
    )
    expect(shown.match(/<svg/g)).toHaveLength(4)
    expect(shown.match(/<svg[^>]*aria-hidden="true"/g)).toHaveLength(4)
  })

  it("[TAB-31] a link at the side keeps its words, whatever they are, and room for a finger", () => {
    const link = html(<SideLink href={HOSTILE} icon={Brain} label={HOSTILE} />)
    expect(link).toMatch(/^<a href="&quot;&gt;&lt;img[^>]*pointer-coarse:py-2\.5/)
    expect(link).toContain(`${ESCAPED}</a>`)
  })
})
