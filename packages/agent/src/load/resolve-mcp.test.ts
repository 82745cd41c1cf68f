import { describe, expect, it } from "vitest"
import { ConfigError } from "../config-error.ts"
import { defineAgent } from "../define-agent.ts"
import { type Config, checkConfig, defineConfig } from "../define-config.ts"
import { hostedMcp } from "./hosted-mcp.ts"
import { resolveMcp } from "./resolve-mcp.ts"

const agents = [defineAgent({ name: "host" }), defineAgent({ name: "critic" })]

describe("MCP servers of a config", () => {
  it("[TRG-6] a server of the config is everyone's or those it names, one of an agent is that agent's alone", () => {
    const config = defineConfig({
      agents: [
        defineAgent({ name: "host", mcp: { own: { command: "a", cwd: "tools", wakeOn: [{ list: "tools" }] } } }),
        defineAgent({ name: "critic" }),
      ],
      mcp: { all: { url: "https://example.test/mcp" }, some: { command: "b", agents: ["critic"] } },
    })
    expect(resolveMcp(config, "/project")).toEqual({
      all: { url: "https://example.test/mcp", wakeOn: [] },
      some: { command: "b", cwd: "/project", agents: ["critic"], wakeOn: [] },
      own: { command: "a", cwd: "/project/tools", agents: ["host"], wakeOn: [{ list: "tools", agent: "host" }] },
    })
  })

  it("[HST-22] a hosted agent gets its own servers and those that name it; Parlor does not connect to them", () => {
    const config = defineConfig({
      agents: [
        defineAgent({ name: "host" }),
        defineAgent({
          name: "coder",
          acp: { command: ["opencode", "acp"] },
          mcp: { own: { command: "./server.mjs", args: ["./a", "b"] } },
        }),
      ],
      mcp: {
        all: { url: "https://all.test/mcp" },
        both: { url: "https://both.test/mcp", agents: ["host", "coder"] },
        woken: { command: "w", agents: ["coder"], wakeOn: [{ list: "tools" }] },
      },
    })
    expect(hostedMcp(config, "coder", "/project")).toEqual([
      { name: "both", url: "https://both.test/mcp", headers: {} },
      { name: "woken", command: "w", args: [], env: {} },
      { name: "own", command: "/project/server.mjs", args: ["/project/a", "b"], env: {} },
    ])
    expect(Object.keys(resolveMcp(config, "/project"))).toEqual(["all", "both", "woken"])
  })

  const wrong: readonly (readonly [string, Config["mcp"] | unknown, RegExp])[] = [
    ["no place", { files: {} }, /mcp\.files: say where it is/],
    ["two places", { files: { command: "a", url: "http://b.test" } }, /mcp\.files: say where it is/],
    ["a bad name", { "My Files": { command: "a" } }, /mcp\.My Files: a server's name/],
    ["a field too many", { files: { command: "a", tools: [] } }, /mcp\.files\.tools: unknown field/],
    [
      "a variable that is not set",
      { files: { command: "a", env: { KEY: undefined } } },
      /env\.KEY: .* Is the variable set/,
    ],
    ["another scheme", { files: { url: "file:///etc/passwd" } }, /mcp\.files\.url/],
    ["a bad policy", { files: { command: "a", approval: "maybe" } }, /mcp\.files\.approval/],
    ["a wake for nothing", { files: { command: "a", wakeOn: [{ agent: "host" }] } }, /wakeOn\[0\]: say what wakes/],
    ["a wake for nobody", { files: { command: "a", wakeOn: [{ list: "tools" }] } }, /set `agent` to the one to wake/],
    ["an agent there is not", { files: { command: "a", agents: ["nobody"] } }, /no agent "nobody"/],
    [
      "a wake for one who may not use it",
      { files: { command: "a", agents: ["host"], wakeOn: [{ resource: "a://b", agent: "critic" }] } },
      /"critic" does not use this server/,
    ],
  ]
  it.each(wrong)("[TRG-6] %s is an error that names the server and the field", (_, mcp, sentence) => {
    const load = () => resolveMcp(checkConfig({ agents, mcp }), "/project")
    expect(load).toThrow(ConfigError)
    expect(load).toThrow(sentence)
  })
})
