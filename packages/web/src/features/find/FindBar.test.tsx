import type { MessageRow } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import FindBar from "./FindBar.tsx"

const nothing = () => {}
const said = (id: string, text: string) => ({ id, parts: [{ type: "text", text }] }) as unknown as MessageRow
const bar = (messages: readonly MessageRow[] = [], wanted = "", hasOlder = true) =>
  renderToStaticMarkup(
    <FindBar
      messages={messages}
      scroller={{ current: null }}
      hasOlder={hasOlder}
      onLoadOlder={() => Promise.resolve()}
      searchAddress={(query) => `#search/${query}`}
      onGoTo={nothing}
      folds={{ lend: nothing, keep: nothing }}
      onClose={nothing}
      onFocusFrom={nothing}
      asked={1}
      wanted={wanted}
    />,
  )

it("[TAB-27] has names for all that can be pressed, and says nothing before one asks", () => {
  const html = bar()
  const labels = [...html.matchAll(/<button[^>]*aria-label="([^"]*)"/g)].map(([, label]) => label)
  expect(labels).toEqual(["Previous", "Next", "Close"])
  expect(html).toContain('<search aria-label="Find in this conversation"')
  expect(html).toContain('role="status"')
  expect(html).not.toContain("No matches")
  expect(html).not.toContain("Load older")
})

it("says how many were found, and cannot be stepped through when there are none", () => {
  const messages = [said("a", "red"), said("b", "Red, red")]
  expect(bar(messages, "red")).toContain("3 found")
  expect(bar(messages, "red")).not.toMatch(/<button[^>]* disabled=""/)
  const none = bar(messages, "green")
  expect(none).toContain("No matches")
  expect(none.match(/<button[^>]* disabled=""/g)).toHaveLength(2)
})

it("[TAB-34] says where it looked, and offers what is older and everything else", () => {
  const html = bar([said("a", "red")], " green ")
  expect(html).toContain("Searched the 1 newest messages.")
  expect(html).toContain("Load older")
  expect(html).toContain('href="#search/green"')
  expect(bar([said("a", "red")], "green", false)).not.toContain("Searched the")
})

it("begins with what was selected in its box, as text, and asks nothing by blanks", () => {
  expect(bar([], 'a "few" <words>')).toContain('value="a &quot;few&quot; &lt;words&gt;"')
  const blank = bar([said("a", "red")], "   ")
  expect(blank).not.toContain("found")
  expect(blank).not.toContain("Searched the")
})

it("says how far it looked in figures one can read", () => {
  const many = Array.from({ length: 1_200 }, (_, index) => said(`m${index}`, "red"))
  const html = bar(many, "RED")
  expect(html).toContain("1,200 found")
  expect(html).toContain("Searched the 1,200 newest messages.")
})
