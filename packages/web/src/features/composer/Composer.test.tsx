import type { Files } from "@parlor/client"
import type { SlashCommandRow } from "@parlor/protocol"
import { createRef } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { ownDrafts } from "../draft/draft.ts"
import { OwnContext } from "../keep/OwnContext.ts"
import { ownIn } from "../keep/own.ts"
import { CommandLine } from "./CommandLine.tsx"
import { Composer, type ComposerProps } from "./Composer.tsx"
import { commandHints } from "./commandHints.ts"
import { drawnHint } from "./fixtures.tsx"
import { PickerList } from "./PickerList.tsx"
import { pickGroups } from "./picking.ts"
import { outlookOf } from "./sendWords.ts"
import { unfinishedWords } from "./useSending.ts"

const idle = outlookOf(null, [])
const busy = outlookOf({ state: "busy", held: null, turn: "trn_1" as never }, [])
const nothing = () => undefined
const deploy: SlashCommandRow = {
  name: "deploy",
  description: "Puts it out.",
  arguments: [
    { name: "environment", type: "string", required: true, description: "Where to" },
    { name: "count", type: "number", required: false, description: "How many" },
  ],
  owner: null,
}
const props: ComposerProps = {
  agent: "host",
  conversation: "host/test",
  busy: false,
  outlook: idle,
  box: createRef<HTMLElement>(),
  commands: [deploy],
  agents: [],
  files: {} as Files,
  canEditLast: false,
  onSend: () => Promise.reject(new Error("not here")),
  onStop: () => Promise.resolve(),
  onFiles: nothing,
  onEditLast: nothing,
}
const own = ownIn("p", undefined, undefined)
const drafts = own.part(ownDrafts)
const composer = (change: Partial<ComposerProps> = {}) =>
  renderToStaticMarkup(
    <OwnContext value={own}>
      <Composer {...props} {...change} />
    </OwnContext>,
  )

describe("the composer", () => {
  it("[TAB-10, TAB-27] is a named, described box for the draft before its editor is there", () => {
    drafts.write("host/draft", { source: "unsent <words>" })
    const html = composer({ conversation: "host/draft" })
    expect(html).toMatch(/<textarea[^>]* aria-label="Message to host"/)
    expect(html).toContain("unsent &lt;words&gt;</textarea>")
    const [, described] = /aria-describedby="([^"]+)"/.exec(html) ?? []
    expect(html).toContain(`<span id="${described}">Enter to send, Shift+Enter for a new line</span>`)
    drafts.write("host/draft", { source: "" })
  })

  it("[TAB-9] says what sending will do: its button, its words, and the choice while busy", () => {
    const quiet = composer()
    expect(quiet).toMatch(/<button[^>]*type="submit"[^>]*aria-label="Send"/)
    expect(quiet).not.toContain("Add to current reply")
    expect(quiet).toContain("/ for commands, @ for agents and files")
    const working = composer({ busy: true, outlook: busy })
    expect(working).toMatch(/aria-label="While host is replying"/)
    expect(working).toMatch(/role="radio"[^>]*aria-checked="true"[^>]*>Queue</)
    expect(working).toMatch(/aria-label="Stop".*type="submit"[^>]*aria-label="Queue"/s)
  })

  it("[CMP-15] says what can be attached before one tries, and shows what is", () => {
    expect(composer()).toContain("up to 20 MB each (text 4 MB), at most 32 per message")
    const node = {
      kind: "attachment",
      hash: "a".repeat(64),
      name: "a.png",
      bytes: 2_048,
      start: 0,
      end: 0,
      raw: "",
    } as const
    drafts.write("host/files", { source: "", nodes: [node] })
    const html = composer({ conversation: "host/files" })
    expect(html).toMatch(/aria-label="Attachments".*a\.png.*2 KB.*aria-label="Remove a\.png"/s)
    expect(html).not.toContain('disabled=""')
    expect(composer()).toContain('disabled=""')
    drafts.write("host/files", { source: "" })
  })

  it("[TAB-10] says what a command in the box still needs, before it is sent", () => {
    drafts.write("host/command", { source: "/deploy" })
    expect(composer({ conversation: "host/command" })).toContain("/deploy still needs: environment.")
    drafts.write("host/command", { source: "" })
  })
})

describe("the hint", () => {
  const hint = (outlook: typeof idle, isEmpty: boolean, canEditLast = false, mode: "queue" | "steer" = "queue") =>
    drawnHint({ outlook, isEmpty, canEditLast, mode }).replace(/<[^>]*>/g, "")

  it("[TAB-9] tells both keys while there is something to send, and the arrow while there is not", () => {
    expect(hint(busy, false)).toMatch(
      /^Enter to queue this until the reply is done · \S+ ?Enter to add it to the current reply/,
    )
    expect(hint(busy, false, false, "steer")).toMatch(
      /^Enter to add this to the current reply · \S+ ?Enter to queue it/,
    )
    expect(hint(busy, true, true)).toContain("↑ to edit the last queued message")
    expect(hint(busy, false, true)).not.toContain("↑")
    expect(hint(idle, false)).not.toContain("for commands")
  })
})

describe("the picker", () => {
  const groups = pickGroups(
    { sign: "@", query: "cri", length: 4 },
    { commands: [], agents: [{ name: "critic", description: "Finds it." }], files: [{ path: "src/critic.ts" }] },
  )
  const rows = groups.flatMap((group) => group.rows)
  const picker = {
    list: "list",
    groups,
    active: rows[1],
    words: "2 suggestions",
    rowId: (row: (typeof rows)[number]) => `row-${rows.indexOf(row)}`,
    choose: nothing,
    pick: nothing,
  }

  it("[TAB-10, TAB-27] is a listbox with groups, one chosen option, and its count said", () => {
    const html = renderToStaticMarkup(<PickerList picker={picker} />)
    expect(html).toMatch(/id="list" role="listbox"/)
    expect(html).toMatch(/role="group" aria-label="Agents".*role="group" aria-label="Files"/s)
    expect(html).toMatch(/id="row-0" role="option" aria-selected="false".*critic.*Finds it\./s)
    expect(html).toMatch(/id="row-1" role="option" aria-selected="true"/)
    expect(html).toMatch(/role="status" class="sr-only">2 suggestions/)
  })

  it("[TAB-10] says in view that there is nothing", () => {
    const empty = { ...picker, groups: [], active: undefined, words: "No command named “tmp”" }
    expect(renderToStaticMarkup(<PickerList picker={empty} />)).toMatch(/class="px[^"]*">No command named “tmp”/)
  })

  it("[TAB-10] shows a command's arguments and what it is for", () => {
    const offered = { commands: [deploy], agents: [], files: [] }
    const html = renderToStaticMarkup(
      <PickerList picker={{ ...picker, groups: pickGroups({ sign: "/", query: "", length: 1 }, offered) }} />,
    )
    expect(html.replace(/<[^>]*>/g, "")).toContain("/deploy &lt;environment&gt; [count]Puts it out.")
  })
})

describe("what is said before sending", () => {
  const hints = (source: string) =>
    commandHints({ source, nodes: [{ kind: "slash_command", name: "deploy", start: 0, end: 7, raw: "/deploy" }] }, [
      deploy,
    ])

  it("[TAB-10] the argument one is at, with what it is; when asked again, that Enter means it", () => {
    const calm = renderToStaticMarkup(<CommandLine hints={hints("/deploy")} isAsked={false} />)
    expect(calm).toContain("Where to")
    expect(calm).not.toContain('role="alert"')
    const asked = renderToStaticMarkup(<CommandLine hints={hints("/deploy")} isAsked />)
    expect(asked).toMatch(/role="alert".*still needs: environment.*Press Enter again/s)
    expect(renderToStaticMarkup(<CommandLine hints={hints("/deploy here")} isAsked={false} />)).toContain("How many")
    expect(renderToStaticMarkup(<CommandLine hints={[]} isAsked={false} />)).toBe("")
  })

  it("[TAB-10] that a file is not there yet, or will not be", () => {
    expect(unfinishedWords([])).toBeUndefined()
    expect(unfinishedWords([{ name: "a.png", state: "busy" }])).toContain("a.png is still uploading")
    expect(
      unfinishedWords([
        { name: "a.png", state: "busy" },
        { name: "b.png", state: "waiting" },
      ]),
    ).toContain("a.png and 1 more are still uploading")
    expect(
      unfinishedWords([
        { name: "a.png", state: "busy" },
        { name: "b.png", state: "failed" },
      ]),
    ).toContain("b.png failed to upload")
  })
})
