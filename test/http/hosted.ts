/** A server that hosts the fake ACP agent, each conversation in a process of its own. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type AgentCommand, type Hosts, openHosts } from "@parlor/acp"
import { type Harness, type HarnessPrompt, hostedModel, silentLog } from "@parlor/core"
import { systemClock } from "@parlor/server"
import { expect } from "vitest"
import { ask, jsonOf } from "./client.ts"
import { eventually, open, pathOf, send } from "./conversations.ts"
import { startTestServer, type TestServer, type TestServerOptions } from "./server.ts"

const FAKE_AGENT = fileURLToPath(new URL("../support/fake-acp-agent.mjs", import.meta.url))

export type HostedServer = TestServer & {
  readonly hosts: Hosts
  /** The ids of all running processes of agents. */
  pids(): readonly number[]
  /** All prompts, in order. */
  readonly prompts: readonly HarnessPrompt[]
  talk(branch?: string): Talk
}

export type HostedOptions = TestServerOptions & {
  readonly env?: Readonly<Record<string, string>>
  readonly idleMs?: number
  readonly processes?: number
  readonly command?: readonly string[]
  readonly mcp?: AgentCommand["mcp"]
  readonly acpFiles?: boolean
}

type Talk = {
  readonly path: string
  say(...lines: readonly string[]): Promise<{ readonly message: string; readonly turn: string | null }>
  idle(): Promise<void>
  /** What the agent said, one string per message, in order. */
  replies(): Promise<readonly string[]>
  /** Resolves when the agent waits, in its turn. */
  waits(): Promise<void>
  /** Lets an agent that waits for this name go on. */
  release(name: string): void
  home(): string
  folder(): string
}

export async function startHostedServer(options: HostedOptions = {}): Promise<HostedServer> {
  const place = mkdtempSync(join(tmpdir(), "parlor-hosts-"))
  const file = join(place, "hosted.json")
  const { processes } = options
  const hosts = openHosts({ clock: systemClock, log: silentLog, version: "test", processes, file })
  const prompts: HarnessPrompt[] = []
  const acp = hosts.harnessFor("host", {
    command: options.command ?? [process.execPath, FAKE_AGENT],
    env: options.env ?? {},
    idleMs: options.idleMs ?? 60_000,
    startMs: 60_000,
    files: options.acpFiles ?? true,
    mcp: options.mcp ?? [],
  })
  const harness: Harness = {
    ...acp,
    run: (prompt) => {
      prompts.push(prompt)
      return acp.run(prompt)
    },
  }
  const server = await startTestServer({
    settings: { retry: { tries: 5, baseMs: 5, maxMs: 20 } },
    ...options,
    agent: { harness, instructions: "", model: hostedModel("fake"), ...options.agent },
  })
  let branches = 0
  return {
    ...server,
    hosts,
    prompts,
    pids: () => (JSON.parse(readFileSync(file, "utf8")) as [number, string][]).map(([pid]) => pid),
    talk: (branch = `hosted-${++branches}`) => talkWith(server, prompts, branch),
    async close() {
      await server.close()
      await hosts.close()
      rmSync(place, { recursive: true, force: true })
    },
  }
}

function talkWith(server: TestServer, prompts: readonly HarnessPrompt[], branch: string): Talk {
  const path = pathOf("host", branch)
  const last = () => prompts.findLast(({ address }) => address.branch === branch)
  const home = () => join(last()?.home ?? "", "home")
  return {
    path,
    home,
    folder: () => last()?.folder ?? "",
    async say(...lines) {
      await ask(server, "PUT", path)
      const { message, turn } = await send(server, path, lines.join("\n"))
      return { message, turn: turn ?? null }
    },
    idle: () => eventually(async () => (await open(server, path)).status.state).toBe("idle"),
    async replies() {
      const page = jsonOf(await ask(server, "GET", `${path}?messages=100`)) as {
        readonly messages: readonly {
          readonly role: string
          readonly parts: readonly { type: string; text?: string }[]
        }[]
      }
      const said = page.messages.filter(({ role }) => role === "agent")
      return said.map(({ parts }) => parts.map(({ type, text }) => (type === "text" ? text : "")).join(""))
    },
    waits: () =>
      eventually(() => Promise.resolve(last() !== undefined && existsSync(join(home(), "waiting")))).toBe(true),
    release: (name) => writeFileSync(join(home(), name), ""),
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export async function openAsk(
  server: TestServer,
  path: string,
): Promise<{ readonly id: string; readonly title: string }> {
  await eventually(async () => (await open(server, path)).asks.length).toBe(1)
  const [first] = (await open(server, path)).asks
  expect(first).toBeDefined()
  return first as { readonly id: string; readonly title: string }
}
