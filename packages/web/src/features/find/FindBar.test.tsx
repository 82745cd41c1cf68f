import type { MessageRow } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import FindBar from "./FindBar.tsx"

const nothing = () => {}
const bar = (messages: readonly MessageRow[] = []) =>
  renderToStaticMarkup(
    <FindBar
      messages={messages}
      scroller={{ current: null }}
      hasOlder
      onLoadOlder={() => Promise.resolve()}
      searchAddress={(query) => `#search/${query}`}
      onGoTo={nothing}
      onClose={nothing}
      asked={1}
    />,
  )

it("[TAB-12] has names for all that can be pressed, and says nothing before one asks", () => {
  const html = bar()
  const labels = [...html.matchAll(/<button[^>]*aria-label="([^"]*)"/g)].map(([, label]) => label)
  expect(labels).toEqual(["Previous", "Next", "Close"])
  expect(html).toContain('<search aria-label="Find in this conversation"')
  expect(html).toContain('role="status"')
  expect(html).not.toContain("Nothing found")
  expect(html).not.toContain("Load older")
})
