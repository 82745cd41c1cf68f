import type { FileRead, Files } from "@parlor/client"
import type { FileChange, FileListing } from "@parlor/protocol"
import { isValidElement, type ReactNode } from "react"
import { renderToStaticMarkup as drawn } from "react-dom/server"
import { afterEach, describe, expect, it } from "vitest"
import { OwnContext } from "../keep/OwnContext.ts"
import { ownIn } from "../keep/own.ts"
import { ChangeList } from "./ChangeList.tsx"
import { Changes } from "./Changes.tsx"
import { Diff } from "./Diff.tsx"
import { FileContent } from "./FileContent.tsx"
import { FileEditor } from "./FileEditor.tsx"
import { FileTree } from "./FileTree.tsx"
import { FileView } from "./FileView.tsx"
import { ownFileDrafts } from "./fileDrafts.ts"
import { Overtaken } from "./Overtaken.tsx"
import { PathDialog } from "./PathDialog.tsx"
import { Uploaded } from "./Uploaded.tsx"
import { Uploading } from "./Uploading.tsx"
import type { Taken } from "./uploads.ts"

const nothing = () => {}
/** Nothing is asked for while it is only drawn. */
const files = {} as Files
const evil = `"><img src=x onerror=alert(1)>`
const file = (path: string, more: Partial<FileListing> = {}): FileListing => ({ path, bytes: 5, hash: "h", ...more })
const read = (text: string, mediaType = "text/plain"): FileRead => ({
  ...{ bytes: new TextEncoder().encode(text), hash: "h", mediaType },
})
const change = (more: Partial<FileChange> = {}): FileChange => ({
  ...{ id: "chg_1", ord: 1, path: "a.txt", before: "x", after: "y", bytes: 1, bytesBefore: 1 },
  ...{ by: "agent:host", turn: null, at: 1, diff: "@@ -1 +1 @@\n-a\n+b" },
  ...more,
})

/** Presses the button with these words, in what a component without state of its own draws. */
function press(node: ReactNode, words: string): void {
  const pressed = buttonsIn(node).filter(({ label }) => label === words)
  expect(pressed.map(({ label }) => label)).toEqual([words])
  pressed[0]?.onClick()
}

type Props = { readonly children?: ReactNode; readonly onClick?: () => void }

function buttonsIn(node: ReactNode): readonly { readonly label: string; readonly onClick: () => void }[] {
  if (Array.isArray(node)) return node.flatMap(buttonsIn)
  if (!isValidElement<Props>(node)) return []
  const { children, onClick } = node.props
  return onClick === undefined ? buttonsIn(children) : [{ label: [children].flat().join(""), onClick }]
}

describe("the tree", () => {
  const tree = (all: readonly FileListing[], open?: string) =>
    drawn(<FileTree files={all} open={open} onOpen={nothing} />)

  it("[TAB-12] the first line is reached by Tab when none is open, or the open one is not there", () => {
    for (const open of [undefined, "gone.txt"]) {
      const html = tree([file("b.txt"), file("a/c.txt")], open)
      expect(html).toMatch(/tabindex="0" data-path="a"/)
      expect(html.match(/tabindex="0"/g)).toHaveLength(1)
      expect(html).not.toContain('aria-selected="true"')
    }
    expect(tree([])).toMatch(/role="tree" aria-label="Files"[^>]*><\/div>/)
  })

  it("[TAB-27] only folders can be expanded, and pictures beside names say nothing", () => {
    const html = tree([file("a/b.txt")])
    expect(html).toMatch(/aria-expanded="true"[^>]*data-path="a"/)
    expect(html.match(/aria-expanded/g)).toHaveLength(1)
    expect(html.match(/<svg/g)?.length).toBe(html.match(/<svg[^>]*aria-hidden="true"/g)?.length)
  })

  it("[TAB-27] a long or hostile name is cut on the screen and whole in its tip, and stays within its attribute", () => {
    const long = `${"very-".repeat(60)}long.txt`
    const html = tree([file(long, { by: "hand" }), file(evil)])
    expect(html).toContain(`title="${long} · edited on disk"`)
    expect(html).toMatch(/class="truncate">very-/)
    expect(html).toContain('data-path="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"')
    expect(html).not.toContain("<img")
  })
})

describe("what is in a file", () => {
  const shown = (one: FileRead) => drawn(<FileContent path="a" read={one} />)

  it("[TAB-27] numbers of lines are for the eye alone, and are not selected with the text", () => {
    expect(shown(read("one\ntwo"))).toMatch(/<pre aria-hidden="true" class="[^"]*select-none[^"]*">1\n2<\/pre>/)
  })

  it("[WSP-4] all of a text that fits is there, and it does not call itself a beginning", () => {
    const html = shown(read("\n\n  indented\twith tabs\r\n"))
    expect(html).toContain("  indented\twith tabs")
    expect(html).toContain("1\n2\n3</pre>")
    expect(html).not.toContain("The beginning of")
  })

  it("[WSP-4] what is too long says how long it is and how to have the rest", () => {
    expect(shown(read("x".repeat(400_001)))).toContain(
      "Showing the beginning of 391 KB. Download the file to see the rest.",
    )
  })

  it("[SEC-6] a drawing that could run something is text, and a picture is never drawn from its bytes as markup", () => {
    const svg = `<svg onload="alert(1)"></svg>`
    expect(shown(read(svg, "image/svg+xml"))).toContain("&lt;svg onload=")
    expect(shown(read(svg, "image/png"))).not.toContain("onload")
  })
})

describe("a file, open", () => {
  const own = ownIn("p", undefined, undefined)
  const fileDrafts = own.part(ownFileDrafts)
  const owned = (node: ReactNode) => drawn(<OwnContext value={own}>{node}</OwnContext>)
  afterEach(() => fileDrafts.write("host/main", "a.txt", undefined))
  const view = (listing: FileListing) =>
    owned(
      <FileView
        {...{
          files,
          conversation: "host/main",
          listing,
          version: 0,
          onMoved: nothing,
          onChanged: nothing,
          onClose: nothing,
        }}
      />,
    )
  const editor = (one: FileRead) =>
    owned(<FileEditor files={files} conversation="host/main" path="a.txt" read={one} onDone={nothing} />)

  it("[WSP-4] until it has come it says so, and cannot be downloaded", () => {
    const html = view(file("a.txt"))
    expect(html.match(/Loading…/g)).toHaveLength(1)
    expect(html).toMatch(/aria-label="Download"[^>]*disabled=""/)
    expect(html).not.toContain('role="alert"')
  })

  it("[WSP-7] what nobody is known to have changed says its size and no more", () => {
    expect(view(file("a.txt", { hash: null }))).toMatch(/text-xs">5 B<\/p>/)
    expect(view(file("a.txt", { by: "hand" }))).toContain("5 B · edited on disk</p>")
  })

  it("[TAB-11] one that was being edited comes back that way, and says that it is loading too", () => {
    fileDrafts.write("host/main", "a.txt", { text: "typed", hash: "h" })
    const html = view(file("a.txt"))
    expect(html).toContain("Loading…")
    expect(html).not.toContain("</textarea>")
    expect(view(file("b.txt"))).toContain("Loading…")
  })

  it("[TAB-11] what was typed is in the box again, not what was read meanwhile", () => {
    expect(editor(read("on disk"))).toContain(">on disk</textarea>")
    fileDrafts.write("host/main", "a.txt", { text: "typed </textarea><script>", hash: "older" })
    const html = editor(read("on disk"))
    expect(html).toContain(">typed &lt;/textarea&gt;&lt;script&gt;</textarea>")
    expect(html).not.toContain("on disk")
    expect(html).toContain("Cancel")
  })

  it("[TAB-11] an emptied text comes back empty", () => {
    fileDrafts.write("host/main", "a.txt", { text: "", hash: "h" })
    expect(editor(read("on disk"))).toMatch(/<textarea[^>]*><\/textarea>/)
  })

  it("[SEC-6] a hostile path is a name wherever it stands", () => {
    const html = view(file(evil))
    expect(html).not.toContain("<img")
    expect(html.match(/&lt;img src=x/g)?.length).toBeGreaterThanOrEqual(4)
  })
})

describe("two wrote the same file", () => {
  const asked = (one: FileRead | null, onMine = nothing, onTheirs = nothing) =>
    Overtaken({ theirs: { read: one }, mine: "mine", onMine, onTheirs })

  it("[WSP-4] each button keeps what it says it keeps", () => {
    const kept: string[] = []
    for (const one of [read("theirs"), null]) {
      const node = asked(
        one,
        () => kept.push("mine"),
        () => kept.push("theirs"),
      )
      press(node, one === null ? "Keep it deleted" : "Keep current version")
      press(node, "Save my version")
    }
    expect(kept).toEqual(["theirs", "mine", "theirs", "mine"])
  })

  it("[TAB-27] it is told at once, and under which heading stands which text", () => {
    const html = drawn(asked(read("<b>theirs</b>")))
    expect(html).toMatch(
      /role="alert"[^>]*>This file was changed while you were editing it\. Which version do you want to keep\?/,
    )
    expect(html).toMatch(/Current version<\/h3><pre[^>]*>&lt;b&gt;theirs.*Your version<\/h3><pre[^>]*>mine</s)
  })

  it("[WSP-4] a file that is no longer text says so instead of showing nothing", () => {
    const bytes = new Uint8Array([0, 1, 2])
    expect(drawn(asked({ bytes, hash: "h", mediaType: "" }))).toContain("It is no longer text.")
    expect(drawn(asked(null))).not.toContain("It is no longer text")
  })
})

describe("what was changed", () => {
  it("[WSP-4] says that it is loading, and not that nothing was", () => {
    const html = drawn(<Changes files={files} version={0} there={undefined} onOpen={nothing} onChanged={nothing} />)
    expect(html).toMatch(/aria-label="Changes".*Loading…/)
    expect(html).not.toContain("Nothing was changed")
    expect(html).not.toContain("Show earlier changes")
  })

  it("[WSP-4] up to three files of a turn are unfolded, more are folded", () => {
    const turn = "trn_1" as FileChange["turn"]
    const list = (count: number) =>
      drawn(<ChangeList changes={Array.from({ length: count }, (_, at) => change({ id: `c${at}`, turn }))} />)
    expect(list(3).match(/<details open=""/g)).toHaveLength(3)
    expect(list(4).match(/<details>/g)).toHaveLength(4)
    expect(list(4)).not.toContain('open=""')
    expect(list(4).match(/<section/g)).toHaveLength(1)
  })

  it("[WSP-4] opens the file it stands at, and puts back the one that was deleted", () => {
    const done: unknown[] = []
    const gone = change({ id: "chg_2", path: "gone.txt", after: null })
    const node = ChangeList({
      changes: [change(), gone],
      there: new Set(["a.txt"]),
      onOpen: (path) => done.push(path),
      onPutBack: ({ id }) => done.push(id),
    })
    press(node, "Restore")
    press(node, "Open")
    expect(done).toEqual(["chg_2", "a.txt"])
  })

  it("[WSP-4] where nothing can be done about it there are no buttons, and only what was deleted is put back", () => {
    expect(drawn(<ChangeList changes={[change({ after: null })]} there={new Set(["a.txt"])} />)).not.toContain(
      "<button",
    )
    expect(drawn(<ChangeList changes={[change({ before: null })]} onPutBack={nothing} />)).not.toContain("<button")
  })

  it("[WSP-4] a difference marks its lines, keeps empty ones as high, and says when there is none", () => {
    const html = drawn(<Diff diff={"-a\n+<b>\n\n@@ -3 +3 @@"} />)
    expect(html).toMatch(/text-bad">-a<.*text-accent">\+&lt;b&gt;<.*whitespace-pre px-3"> <.*text-muted">@@ -3/s)
    expect(drawn(<Diff diff="" />)).toMatch(/^<p [^>]*>No lines changed\.<\/p>$/)
  })
})

describe("what was dropped", () => {
  const given = (name: string) => Object.assign(new Blob([]), { name })
  const taken = (more: Partial<Taken>, onReplace = nothing, onClose = nothing) =>
    Uploaded({ taken: { made: [], met: [], refused: [], stopped: [], ...more }, onReplace, onClose })

  it("[WSP-4] what is there already is replaced when one says so, and left when one does not", () => {
    const done: string[] = []
    const node = taken(
      { met: [given("a"), given("b")] },
      () => done.push("replaced"),
      () => done.push("left"),
    )
    press(node, "Replace them")
    press(node, "Keep existing")
    expect(done).toEqual(["replaced", "left"])
  })

  it("[WSP-6] each that cannot be says why and what to do, and a hostile name is text", () => {
    const html = drawn(
      taken({
        refused: [
          { name: evil, note: { code: "file.too-large", detail: "11 MB" } },
          { name: "b", note: { code: "network", detail: "fetch failed" } },
        ],
      }),
    )
    expect(html.match(/role="alert"/g)).toHaveLength(2)
    expect(html).toContain("The file is too large. 11 MB. Make it smaller, or keep it elsewhere.")
    expect(html).toContain("Can&#x27;t reach the server.")
    expect(html).toContain("OK")
    expect(html).not.toContain("<img")
  })

  it("[WSP-4] says what goes up and how far it is, once for the eye and once as a value, and can be stopped", () => {
    let stops = 0
    const node = Uploading({ going: { name: evil, place: 2, count: 3, percent: 40 }, onStop: () => void stops++ })
    const html = drawn(node)
    expect(html).toMatch(/aria-hidden="true"[^>]*>2 of 3 · 40%</)
    expect(html).toMatch(/role="progressbar" aria-label="Uploading [^"]*" .*aria-valuenow="40"/)
    expect(html).not.toContain("<img")
    press(node, "Stop")
    expect(stops).toBe(1)
    expect(drawn(taken({ made: ["a"], stopped: ["b", "c"] }))).toMatch(/Stopped\.<\/strong> Not uploaded: b, c\./)
  })

  it("[TAB-27] when all is there, only a screen reader needs to be told", () => {
    expect(drawn(taken({ made: ["a", "b"] }))).toBe('<p role="status" class="sr-only">Uploaded: a, b</p>')
  })
})

describe("asking for a path", () => {
  const dialog = (path: string) =>
    drawn(<PathDialog title="New file" action="Create" path={path} onDone={async () => {}} onClose={nothing} />)

  it("[TAB-27] the box has a name and a hint, is not called wrong before one typed, and gets the focus", () => {
    const html = dialog("")
    const [, id] = /<label for="([^"]+)"[^>]*>Path<\/label>/.exec(html) ?? []
    expect(html).toContain(`<input id="${id}"`)
    expect(html).toContain(`aria-describedby="${id}-about" aria-invalid="false"`)
    expect(html).toContain(`<p id="${id}-about" class="mt-1 text-xs text-muted">Missing folders are created`)
    expect(html).toContain('data-autofocus="true"')
  })

  it("[WSP-4] nothing, or nothing but spaces, is no path", () => {
    for (const path of ["", "  "]) expect(dialog(path)).toMatch(/type="submit"[^>]*disabled=""[^>]*>Create/)
  })
})
