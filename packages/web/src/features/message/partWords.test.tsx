import { Parlor } from "@parlor/client"
import type { Part, ToolPart } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { foldId, makeFolds } from "./folds.ts"
import { PartView } from "./PartView.tsx"
import { partWords } from "./partWords.ts"
import { ReadingContext } from "./reading.ts"

const conversation = new Parlor({ baseUrl: "http://127.0.0.1:9", token: "t" }).conversation("host")
const tool = (change: Partial<ToolPart> = {}): ToolPart => ({
  type: "tool",
  call: "c1",
  name: "look_up",
  input: { city: "Reykjavík", days: 3 },
  state: "done",
  output: { sky: "clear" },
  error: null,
  ...change,
})

/** What one reads of a part that is unfolded, without the names of its fields and what can be pressed. */
function read(part: Part): string {
  const html = renderToStaticMarkup(
    <ReadingContext value={{ conversation, folds: makeFolds([foldId("m", 0)]) }}>
      <PartView message="m" index={0} part={part} streaming={false} />
    </ReadingContext>,
  )
  return html
    .replace(/<(button|svg)\b.*?<\/\1>/gs, "")
    .replace(/<p data-label.*?<\/p>/gs, "")
    .replace(/<summary.*?<\/summary>/gs, "")
    .replace(/<[^>]+>/g, "\n")
    .replaceAll("&quot;", '"')
}
const plain = (text: string) => text.replace(/\s+/g, " ").trim()

describe("[TAB-34] the words of a part", () => {
  it("are those one reads in it when it is unfolded, in that order", () => {
    const parts: readonly Part[] = [
      { type: "reasoning", text: "First the weather,\nthen the road." },
      { type: "context", title: "Notes", source: "hook", content: "They like tea." } as unknown as Part,
      tool(),
      tool({ input: "plain", output: "two\nlines" }),
      tool({ output: null, state: "failed", error: { code: "x", detail: "No such city" } }),
      tool({ kept: "blob", output: { characters: 9_000, beginning: "It begins" } } as Partial<ToolPart>),
      tool({ name: "write_file", input: { path: "a.md", content: "one\ntwo\n" }, output: "made" }),
      tool({ name: "edit_file", input: { path: "a.md", edits: [{ old: "one", new: "uno" }] }, output: "changed" }),
      tool({ name: "move_file", input: { from: "a", to: "b" }, output: "moved" }),
    ]
    for (const part of parts) expect(plain(partWords(part).folded)).toBe(plain(read(part)))
  })

  it("that are always seen are told apart from those that are folded", () => {
    expect(partWords({ type: "text", text: "**said**" })).toEqual({ seen: "**said**", folded: "" })
    expect(partWords({ type: "notice", code: "c", text: "left out" })).toEqual({ seen: "left out", folded: "" })
    expect(partWords(tool()).seen).toBe("look_up")
    expect(partWords({ type: "reasoning", text: "hm" }).seen).toBe("")
  })
})
