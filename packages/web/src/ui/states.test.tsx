import { BellRing, FolderOpen } from "lucide-react"
import { renderToStaticMarkup } from "react-dom/server"
import { afterEach, describe, expect, it, vi } from "vitest"
import { Confirm } from "./Confirm.tsx"
import { cx } from "./cx.ts"
import { Dialog } from "./Dialog.tsx"
import { Empty } from "./Empty.tsx"
import { Field, SearchBox } from "./Field.tsx"
import { KeptWords } from "./KeptWords.tsx"
import { PageFrame } from "./PageFrame.tsx"
import { Popover } from "./Popover.tsx"
import { Segments } from "./Segments.tsx"
import { Toast, type ToastProps, Toasts } from "./Toast.tsx"
import { topLayer } from "./topLayer.ts"
import { useDrawn } from "./useDrawn.ts"
import { useMedia } from "./useMedia.ts"
import { useNow } from "./useNow.ts"

const html = renderToStaticMarkup
const nothing = () => undefined

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe("a notice", () => {
  const toast = (change: Partial<ToastProps>) =>
    html(<Toast icon={BellRing} tone="calm" title="host is done" onDismiss={nothing} {...change} />)

  it.each([
    ["calm", "text-accent"],
    ["warn", "text-warn"],
    ["bad", "text-bad"],
  ] as const)("that is %s has that color on its picture only", (tone, color) => {
    const shown = toast({ tone })
    expect(shown).toMatch(new RegExp(`<svg[^>]*class="[^"]*${color}`))
    expect(shown.match(/text-(accent|warn|bad)/g)).toHaveLength(1)
  })

  it("has room for more words and for what can be done, and none where there is neither", () => {
    expect(toast({})).not.toMatch(/line-clamp-2|flex-wrap/)
    const full = toast({ children: "It wrote 3 files.", actions: <a href="#/host">Open</a> })
    expect(full).toMatch(/host is done.*It wrote 3 files\..*<a href="#\/host">Open<\/a>.*aria-label="Dismiss"/)
  })

  it("with a long word for a name does not grow out of the window", () => {
    const shown = toast({ title: "x".repeat(300) })
    expect(shown).toMatch(/min-w-0.*break-words[^>]*>x{300}</)
    expect(html(<Toasts>{null}</Toasts>)).toMatch(/pointer-events-none[^"]*max-w-\[calc\(100vw-1\.5rem\)\][^>]*><\/sec/)
  })
})

describe("a box in front", () => {
  it("[TAB-12] asks with both answers in view, the one that keeps it first", () => {
    const shown = html(
      <Confirm title="Delete “<b>”?" action="Delete" onDo={nothing} onClose={nothing}>
        {"y".repeat(200)}
      </Confirm>,
    )
    expect(shown).toContain('aria-label="Delete “&lt;b&gt;”?"')
    const buttons = [...shown.matchAll(/<button[^>]*>([^<]+)<\/button>/g)].map(([, words]) => words)
    expect(buttons).toEqual(["Cancel", "Delete"])
    expect(shown).toMatch(/break-words[^>]*>y{200}/)
    expect(shown).toMatch(/text-bad[^>]*>Delete</)
  })

  it("keeps its frame while it is closed, so that closing it can be told", () => {
    const closed = html(
      <Dialog title="Settings" isOpen={false} onClose={nothing} className="w-80">
        <p>Inside</p>
      </Dialog>,
    )
    expect(closed).toMatch(/^<dialog aria-label="Settings" class="[^"]*w-80"><\/dialog>$/)
  })

  it("[TAB-27] beside a button says there that it is open", () => {
    const box = (isOpen: boolean) =>
      html(
        <Popover label="Files" isOpen={isOpen} trigger={<button type="button">Open</button>}>
          Inside
        </Popover>,
      )
    expect(box(true)).toContain('aria-expanded="true"')
    expect(box(false)).toContain('aria-expanded="false"')
  })

  it("opens in the dialog in front, or on the page where there is none", () => {
    const open: string[] = []
    vi.stubGlobal("document", { querySelectorAll: (which: string) => (which === "dialog:modal" ? open : []) })
    expect(topLayer()).toBeNull()
    open.push("settings", "confirm")
    expect(topLayer()).toBe("confirm")
  })
})

describe("fields", () => {
  it("[TAB-27] say what is wrong in place of the hint, and are described by it", () => {
    const field = html(
      <Field label={"<Path>"} hint="Such as notes.md" problem={"“<x>” is taken."}>
        {(props) => <input {...props} disabled />}
      </Field>,
    )
    expect(field).toContain("&lt;Path&gt;</label>")
    expect(field).not.toContain("Such as notes.md")
    const described = /aria-describedby="([^"]+)"/.exec(field)?.[1]
    expect(field).toMatch(new RegExp(`<p id="${described}"[^>]*>“&lt;x&gt;” is taken\\.</p>`))
  })

  it("of one line pass on what they are given", () => {
    const box = html(<SearchBox label="Find" className="mb-2" placeholder="Words" defaultValue={'"a"'} disabled />)
    for (const part of ['placeholder="Words"', 'disabled=""', 'value="&quot;a&quot;"', 'mb-2"'])
      expect(box).toContain(part)
  })

  it("[TAB-27] of a few to choose from, only the chosen one is checked", () => {
    const options = ["all", "mine"].map((value) => ({ value, label: value }))
    const shown = (value: string) => html(<Segments label="Which" value={value} options={options} onChange={nothing} />)
    expect(shown("mine").match(/aria-checked="true"/g)).toHaveLength(1)
    expect(shown("gone")).not.toContain('aria-checked="true"')
    expect(shown("all").match(/pointer-coarse:min-h-10/g)).toHaveLength(2)
  })
})

describe("a page", () => {
  const page = (wide: boolean) =>
    html(
      <PageFrame title={"Files <of> it"} back={{ href: "#/host", to: 'a "b"' }} wide={wide} actions={<i>act</i>}>
        Inside
      </PageFrame>,
    )

  it("is as wide as one reads, or as there is room", () => {
    expect(page(false)).toContain("max-w-read")
    expect(page(true)).not.toContain("max-w-read")
    expect(page(true)).toMatch(/<h1[^>]*>Files &lt;of&gt; it<\/h1>.*<i>act<\/i>.*Inside/)
  })

  it("[TAB-27, TAB-31] has a way back of 40 px for a finger, with a name", () => {
    expect(page(false)).toMatch(/aria-label="Back to a &quot;b&quot;" class="[^"]*pointer-coarse:min-h-10/)
  })

  it("that is empty offers something to do only where there is something", () => {
    const bare = html(
      <Empty icon={FolderOpen} title="No files yet">
        What an agent writes is here.
      </Empty>,
    )
    expect(bare).not.toContain("mt-2")
    expect(bare).toMatch(/aria-hidden="true".*No files yet.*What an agent writes is here\.<\/div><\/div>$/)
  })

  it("keeps lost words as they were typed, line by line", () => {
    const kept = html(
      <KeptWords title="Yours:" text={"a\n  <script>b</script>"} onKeep={nothing} onDiscard={nothing} />,
    )
    expect(kept).toContain(">a\n  &lt;script&gt;b&lt;/script&gt;</p>")
    expect(kept).toContain("whitespace-pre-wrap")
  })
})

describe("before there is a browser", () => {
  it("nothing is taken to be drawn, and no screen to be narrow", () => {
    const Seen = () => `${useDrawn("host/main")} ${useMedia("(max-width: 48rem)")}`
    expect(html(<Seen />)).toBe("false false")
  })

  it("it is now, whether or not something is waited for", () => {
    vi.useFakeTimers({ now: 5_000 })
    const Clock = ({ until }: { readonly until: number | null }) => `${useNow(until)}`
    expect(html(<Clock until={9_000} />)).toBe("5000")
    expect(html(<Clock until={null} />)).toBe("5000")
    expect(vi.getTimerCount()).toBe(0)
  })

  it("class names are joined without what is empty", () => {
    expect([cx(), cx(""), cx("a", "", "b"), cx(undefined, "a", null)]).toEqual(["", "", "a b", "a"])
  })
})
