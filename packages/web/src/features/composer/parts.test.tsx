import type { ComposerInput, SlashCommandRow } from "@parlor/protocol"
import { createRef } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { Box } from "./Box.tsx"
import type { BoxProps } from "./box.ts"
import { CommandLine } from "./CommandLine.tsx"
import { commandHints } from "./commandHints.ts"
import { drawnHint } from "./fixtures.tsx"
import { PickerList } from "./PickerList.tsx"
import { countWords, type Offered, pickGroups, type TypedSign } from "./picking.ts"
import { SentNote } from "./SentNote.tsx"
import type { Outlook } from "./sendWords.ts"

const nothing = () => undefined
const text = (html: string) => html.replace(/<[^>]*>/g, "")
const command = (name: string, ...taken: SlashCommandRow["arguments"]): SlashCommandRow => ({
  name,
  description: `Does ${name}.`,
  arguments: taken,
  owner: null,
})

describe("the plain box", () => {
  const box = (input: ComposerInput, picker?: BoxProps["picker"]) =>
    renderToStaticMarkup(
      <Box
        conversation="host/main"
        label="Message to host"
        placeholder="Message host"
        describedBy="hint"
        input={input}
        box={createRef<HTMLElement>()}
        acts={{ current: null }}
        handover={{ current: undefined }}
        picker={picker}
        onChange={nothing}
        onTrigger={nothing}
        onKey={() => false}
        onFiles={nothing}
      />,
    )

  it("[TAB-27] has a name, a description and a hint for the keyboard of a phone", () => {
    const html = box({ source: "" })
    expect(html).toMatch(/^<textarea rows="1"/)
    for (const attribute of [
      'enterKeyHint="send"',
      'aria-label="Message to host"',
      'aria-describedby="hint"',
      'placeholder="Message host"',
    ])
      expect(html).toContain(attribute)
  })

  it("[TAB-10] shows a draft as its words, every line of it, chips as they are typed", () => {
    const chip = { kind: "mention", name: "critic", start: 4, end: 11, raw: "@critic" } as const
    expect(text(box({ source: "ask @critic\n\n  </textarea>", nodes: [chip] }))).toBe(
      "ask @critic\n\n  &lt;/textarea&gt;",
    )
  })
})

describe("[TAB-9] what sending will do, in every state", () => {
  const hint = (outlook: Outlook, isEmpty: boolean, mode: "queue" | "steer" = "queue") =>
    drawnHint({ outlook, isEmpty, mode })
  const asked: Outlook = { kind: "queue", why: "asked", canSteer: true }
  const line: Outlook = { kind: "queue", why: "line", canSteer: false }
  const held: Outlook = { kind: "start", releases: true }

  it("asked: the answer goes above, and what is written here waits or joins", () => {
    expect(text(hint(asked, true))).toBe("host is waiting for your answer above")
    expect(text(hint(asked, false))).toMatch(/^Enter to queue this; answer the question above · /)
    expect(hint(asked, false)).toMatch(/<button[^>]*>.*Add to current reply<\/span><\/button>/)
    expect(hint(asked, false, "steer")).toMatch(/<button[^>]*>.*Queue it<\/span><\/button>/)
  })

  it("behind others in line there is no choice, so none is offered", () => {
    expect(text(hint(line, false, "steer"))).toBe("Enter to queue this behind the others")
    expect(hint(line, false)).not.toContain("<button")
  })

  it("held: that the queue goes on is said on a phone too; the plain rule is not", () => {
    expect(text(hint(held, false))).toBe("Enter to send now and resume the queue")
    const first = (html: string) => /^<p class="([^"]*)"/.exec(html)?.[1]
    expect(first(hint(held, false))).not.toContain("pointer-coarse:hidden")
    expect(first(hint({ kind: "start", releases: false }, false))).toContain("pointer-coarse:hidden")
  })
})

describe("[TAB-10] the picker in its states", () => {
  const offered: Offered = {
    commands: [command("help"), command("halt", { name: "now", type: "boolean", required: true, description: "" })],
    agents: [{ name: "critic", description: "<b>Finds</b> it." }],
    files: [{ path: "docs/guide/critic notes.md" }, { path: "Makefile" }],
  }
  const picker = (trigger: TypedSign, from = offered, active = 0, isLoading = false) => {
    const groups = pickGroups(trigger, from)
    const rows = groups.flatMap((group) => group.rows)
    return renderToStaticMarkup(
      <PickerList
        picker={{
          list: "list",
          groups,
          active: rows[active],
          words: countWords(trigger, rows.length, isLoading),
          rowId: ({ id }) => id.replaceAll(" ", "-"),
          choose: nothing,
          pick: nothing,
        }}
      />,
    )
  }
  const slash = (query: string): TypedSign => ({ sign: "/", query, length: query.length + 1 })
  const at = (query: string): TypedSign => ({ sign: "@", query, length: query.length + 1 })

  it("has one row chosen, and it is another when one goes on", () => {
    const chosen = (active: number) =>
      [...picker(slash("h"), offered, active).matchAll(/id="([^"]*)" role="option" aria-selected="true"/g)].map(
        ([, id]) => id,
      )
    expect([chosen(0), chosen(1)]).toEqual([["command-halt"], ["command-help"]])
  })

  it("[SEC-6] shows where a file is before what it is called, and all of it as text", () => {
    const html = picker(at("critic"))
    expect(html).toContain('<span class="text-muted">docs/guide/</span>critic notes.md')
    expect(html).toContain("&lt;b&gt;Finds&lt;/b&gt; it.")
    expect(picker(at("Make"))).toContain('<span class="text-muted"></span>Makefile')
  })

  it("leaves out a group that holds nothing, and says in view that it looks for files", () => {
    expect(picker(at("Make"))).not.toContain('aria-label="Agents"')
    const looking = picker(at("zzz"), { ...offered, files: undefined }, 0, true)
    expect(looking).not.toContain('role="option"')
    expect(looking).toMatch(/role="status" class="px[^"]*">Searching files…/)
    expect(text(picker(slash(""), { ...offered, commands: [] }))).toBe("No commands here")
  })
})

describe("[TAB-10] the line of a command", () => {
  const scale = command(
    "scale",
    { name: "by", type: "number", required: true, description: "How much" },
    { name: "dry", type: "boolean", required: false, description: "" },
  )
  const line = (source: string) => {
    const node = { kind: "slash_command", name: "scale", start: 0, end: 6, raw: "/scale" } as const
    return renderToStaticMarkup(
      <CommandLine hints={commandHints({ source, nodes: [node] }, [scale])} isAsked={false} />,
    )
  }

  it("strikes out what is given, warns of what does not fit, and points at what is next", () => {
    expect(line("/scale 3")).toMatch(/line-through[^>]*>&lt;by&gt;<.*text-accent[^>]*>\[dry\]</)
    expect(line("/scale much")).toMatch(/text-warn[^>]*>&lt;by&gt;</)
    expect(text(line("/scale much"))).toContain("/scale: by must be a number.")
    expect(text(line("/scale"))).toBe("/scale&lt;by&gt;[dry]How much/scale still needs: by.")
    expect(text(line("/scale 3 yes"))).toBe("/scale&lt;by&gt;[dry]")
  })
})

it("[TAB-9] what was sent another way than asked is told calmly, with the reason", () => {
  const html = renderToStaticMarkup(<SentNote note={{ code: "never.heard", detail: "It waits instead." }} />)
  expect(html).toMatch(/^<p role="status"/)
  expect(text(html)).toBe("Something went wrong. It waits instead.")
})
