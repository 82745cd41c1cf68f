import type { SearchHitView } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { HitView } from "./HitView.tsx"

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
