import type { Parlor } from "@parlor/client"
import type { SearchHitView } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { HitView } from "./HitView.tsx"
import { SearchPage } from "./SearchPage.tsx"

const hit: SearchHitView = {
  kind: "message",
  agent: "host",
  branch: "main",
  title: "",
  at: 0,
  snippet: { text: "the <i>red</i> crab", marks: [[7, 10]] },
  message: "m1",
  role: "person",
  author: "",
  dimmed: false,
}
const shown = (one: SearchHitView) => renderToStaticMarkup(<HitView hit={one} href="#/host/main/m1" />)

it("[CPT-8] [SEC-6] a hit marks the words that were found, as text, and leads to its message", () => {
  expect(shown(hit)).toMatch(/the &lt;i&gt;<mark[^>]*>red<\/mark>&lt;\/i&gt; crab/)
  expect(shown(hit)).toContain('href="#/host/main/m1"')
  expect(shown(hit)).toContain("You")
})

it("[CPT-8] what was rolled back is dimmer, and says so", () => {
  expect(shown({ ...hit, dimmed: true })).toContain("opacity-60")
  expect(shown({ ...hit, dimmed: true })).toContain("rolled back")
})

it("[CPT-8] a chapter and a memory say what they are, with their time", () => {
  const { agent, branch, title, at, snippet } = hit
  const chapter: SearchHitView = { kind: "archive", agent, branch, title, at, snippet, archive: "arc_1" }
  expect(shown(chapter)).toMatch(/Chapter summary<\/span><time[^>]*dateTime="1970-01-01T00:00:00.000Z"/)
  const evil = "<img src=x onerror=alert(1)>"
  const memory: SearchHitView = { kind: "memory", scope: "user", name: evil, description: evil, at, snippet }
  expect(shown(memory)).not.toContain("<img")
  expect(shown(memory)).not.toContain("opacity-60")
  expect(shown({ ...hit, role: "agent", author: "critic" })).toContain(">critic<")
})

it("[CPT-8] several marks stand where the words are, in one line of text", () => {
  const html = shown({
    ...hit,
    snippet: {
      text: "tea, green tea",
      marks: [
        [0, 3],
        [11, 14],
      ],
    },
  })
  expect(html.match(/<mark/g)).toHaveLength(2)
  expect(html.replace(/<[^>]+>/g, "")).toContain("tea, green tea")
})

describe("the page", () => {
  const page = (query: string) =>
    renderToStaticMarkup(
      <SearchPage parlor={{} as Parlor} agent="critic" branch="redder" query={query} onRefused={() => undefined} />,
    )

  it("[CPT-8] [TAB-27] without words says what can be found; its choices have names", () => {
    const html = page("  ")
    expect(html).toMatch(/Search everything.*Results contain all the words/)
    for (const label of ["Search all conversations and memories", "Search in", "Result type", "Back to critic"])
      expect(html).toContain(`aria-label="${label}"`)
    expect(html).toMatch(/With critic<\/button>/)
    expect(html).not.toContain("Searching…")
  })

  it("[CPT-8] with the words of an address looks at once, and says so before it says that there is nothing", () => {
    const html = page(`a" onfocus="x`)
    expect(html).toMatch(/<p role="status"[^>]*>Searching…<\/p>/)
    expect(html).toContain('value="a&quot; onfocus=&quot;x"')
    expect(html).not.toMatch(/Nothing was found|Find anything/)
  })
})
