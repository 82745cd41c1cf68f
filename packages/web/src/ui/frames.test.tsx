import { Brain } from "lucide-react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { Confirm } from "./Confirm.tsx"
import { CopyButton } from "./CopyButton.tsx"
import { cx } from "./cx.ts"
import { Dialog } from "./Dialog.tsx"
import { Empty } from "./Empty.tsx"
import { Field, SearchBox } from "./Field.tsx"
import { KeptWords } from "./KeptWords.tsx"
import { Menu } from "./Menu.tsx"
import { PageFrame } from "./PageFrame.tsx"
import { Popover } from "./Popover.tsx"
import { Segments } from "./Segments.tsx"
import { SideLink } from "./SideLink.tsx"
import { topLayer } from "./topLayer.ts"

const nothing = () => undefined
const html = renderToStaticMarkup

describe("boxes in front of the page", () => {
  it("[TAB-27] a dialog has its title for a name and holds nothing while it is closed", () => {
    const dialog = (isOpen: boolean) =>
      html(
        <Dialog title="Settings" isOpen={isOpen} onClose={nothing}>
          Inside
        </Dialog>,
      )
    expect(dialog(true)).toMatch(/^<dialog aria-label="Settings".*<h2[^>]*>Settings.*aria-label="Close".*Inside/)
    expect(dialog(false)).not.toContain("Inside")
    expect(dialog(true)).toContain("w-[min(44rem,94vw)]")
  })

  it("one that says its width has only that", () => {
    const narrow = html(
      <Confirm title="Delete it?" action="Delete" onDo={nothing} onClose={nothing}>
        For good.
      </Confirm>,
    )
    expect(narrow).toContain("28rem")
    expect(narrow).not.toContain("44rem")
    expect(narrow).toMatch(/For good\..*Cancel.*Delete<\/button>/)
  })

  it("[TAB-27] what opens a menu or a box says so, and nothing is there before", () => {
    const menu = html(
      <Menu items={[{ label: "Rename", onChoose: nothing }, "line", { label: "Delete", bad: true, onChoose: nothing }]}>
        <button type="button">More</button>
      </Menu>,
    )
    expect(menu).toMatch(/aria-haspopup="menu" aria-expanded="false"/)
    expect(menu).not.toContain("Rename")
    const popover = html(
      <Popover label="Files" trigger={<button type="button">Open</button>}>
        Inside
      </Popover>,
    )
    expect(popover).toMatch(/aria-haspopup="dialog" aria-expanded="false"/)
    expect(topLayer()).toBeNull()
  })
})

describe("frames and fields", () => {
  it("[TAB-27] a page has a title and a way back with a name", () => {
    const page = html(
      <PageFrame title="Memory" back={{ href: "#/host", to: "host" }}>
        Inside
      </PageFrame>,
    )
    expect(page).toMatch(/^<main.*href="#\/host" aria-label="Back to host".*<h1[^>]*>Memory<\/h1>.*Inside/)
  })

  it("[TAB-27] a link at the side says when it is the one in front", () => {
    expect(html(<SideLink href="#m" icon={Brain} label="Memory" current />)).toContain('aria-current="page"')
    expect(html(<SideLink href="#m" icon={Brain} label="Memory" />)).not.toContain("aria-current")
  })

  it("an empty place says what it is for and what to do", () => {
    const empty = html(
      <Empty icon={Brain} title="Nothing yet" action={<button type="button">Add one</button>}>
        It comes by itself.
      </Empty>,
    )
    expect(empty).toMatch(/Nothing yet.*It comes by itself\..*Add one/)
  })

  it("[TAB-27] a field is tied to its label, its hint and what is wrong with it", () => {
    const field = (problem?: string) =>
      html(
        <Field label="Path" hint="Such as notes.md" problem={problem}>
          {(props) => <input {...props} />}
        </Field>,
      )
    const id = /for="([^"]+)"/.exec(field())?.[1]
    expect(field()).toMatch(new RegExp(`<input id="${id}"[^>]*aria-describedby="${id}-about" aria-invalid="false"`))
    expect(field("It is taken.")).toMatch(/aria-invalid="true".*text-bad[^>]*>It is taken\./)
    expect(html(<SearchBox label="Find" />)).toContain('type="search" aria-label="Find"')
  })

  it("[TAB-27] one of a few is a group in which one is on", () => {
    const options = [
      { value: "a", label: "First" },
      { value: "b", label: "Second" },
    ] as const
    const group = html(<Segments label="Which" value="b" options={options} onChange={nothing} />)
    expect(group).toMatch(/aria-label="Which"/)
    expect(group).toMatch(/data-state="off"[^>]*>First.*data-state="on"[^>]*>Second/)
  })

  it("words that lost their place stay until somebody decides", () => {
    const kept = html(<KeptWords title="You wrote:" text="Half a thought" onKeep={nothing} onDiscard={nothing} />)
    expect(kept).toMatch(/role="status".*You wrote:.*Half a thought.*Move to message box.*Discard/)
    expect(html(<CopyButton text="x" label="Copy the code" />)).toContain('aria-label="Copy the code"')
    expect(cx("a", false, undefined, null, "b")).toBe("a b")
  })
})
