import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { BIN, until } from "./parlor.ts"

const config = (name: string, dice: string): string => `import { defineAgent, defineTool } from "@parlor/agent"
import { z } from "zod"
const roll = defineTool({ name: "roll", description: "Rolls.", input: z.object({ dice: z.number() }), run: ({ dice }) => ${dice} })
export default [defineAgent({ name: "${name}", tools: [roll] })]
`

test("[CLI-9] parlor dev waits for a valid config, then serves, checks types after every change and logs text", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parlor-dev-"))
  const file = join(folder, "parlor.config.ts")
  writeFileSync(file, config("No!", "dice"))
  const env = {
    PATH: process.env.PATH,
    PARLOR_PORT: "0",
    PARLOR_MODEL: "demo",
    PARLOR_LOCAL_MODELS: "off",
    PARLOR_DRAIN_MS: "0",
  }
  const child = spawn(process.execPath, [BIN, "dev"], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] })
  let said = ""
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text
    })
  const hears = (words: string) =>
    until(
      () => said,
      (heard) => heard.includes(words),
    )
  try {
    await hears("Waiting for a change…")
    expect(said).toContain('parlor.config.ts:4: Agent "No!": name')
    writeFileSync(file, config("roller", "dice.length"))
    await hears("Parlor is ready: http://")
    await hears("Types: 1 error\n")
    expect(said).toMatch(/parlor\.config\.ts\(3,\d+\): error TS2339/)
    writeFileSync(file, config("roller", "dice + 1"))
    await hears("Types: no errors")
    await until(
      () => said,
      (heard) => /^\d\d:\d\d:\d\d info {2}config reloaded .*agents: roller$/m.test(heard),
    )
    expect(said).not.toContain('{"level"')
  } finally {
    const ended = new Promise((resolve) => child.once("exit", resolve))
    child.kill("SIGTERM")
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
})
