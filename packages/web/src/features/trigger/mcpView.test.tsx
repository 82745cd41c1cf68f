import type { McpServerView } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { McpServerList } from "./McpServers.tsx"
import { lentWords, stateWords, toolWords } from "./mcpView.ts"

const server = (change: Partial<McpServerView> = {}): McpServerView => ({
  name: "weather",
  transport: "http",
  state: "ready",
  since: 0,
  lastError: null,
  retryAt: null,
  agents: null,
  tools: [{ tool: "now", name: "weather__now", hash: "0", changed: false }],
  leftOut: [],
  slashCommands: [],
  wakes: [],
  ...change,
})

it("[TRG-6] a server says how it is, and when it is tried again", () => {
  expect(stateWords(server())).toBe("ready")
  expect(stateWords(server({ state: "connecting" }))).toBe("connecting…")
  expect(stateWords(server({ state: "waiting", lastError: "refused" }))).toBe("unavailable: refused")
  expect(stateWords(server({ state: "waiting", retryAt: 0 }))).toContain("retrying")
})

it("[TRG-6] and what it lends to whom", () => {
  expect(lentWords(server())).toBe("1 tool for every agent")
  expect(lentWords(server({ agents: ["host", "critic"], tools: [], slashCommands: ["a", "b"] }))).toBe(
    "0 tools, 2 commands for host, critic",
  )
  expect(lentWords(server({ agents: [] }))).toContain("no agent")
  expect(toolWords({ tool: "a", name: "a", hash: "0", changed: true })).toContain("approval before its first call")
})

it("[TRG-6] [SEC-6] they are listed with their tools and what is left out, as text", () => {
  const evil = "<img src=x onerror=alert(1)>"
  const html = renderToStaticMarkup(
    <McpServerList
      servers={[
        server({
          tools: [{ tool: evil, name: evil, hash: "0", changed: true }],
          leftOut: [{ tool: "big", why: "its input is too large" }],
          wakes: [{ on: "news", agent: "host", branch: "main", lastAt: null, lastError: null }],
        }),
      ]}
    />,
  )
  expect(html).not.toContain("<img")
  for (const words of ["weather", "its input is too large", "approval before its first call", "news wakes host/main"])
    expect(html).toContain(words)
})
