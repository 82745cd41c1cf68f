/** The files that people deploy with: they name only what exists. No Docker daemon is needed. */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { findProgram } from "../../scripts/programs.mjs"
import { root } from "../../scripts/setup.mjs"
import { dockerfile } from "./dockerfile.ts"

const read = (path: string) => readFileSync(join(root, path), "utf8")
const UNIT = "deploy/systemd/parlor.service"
const COMPOSE = "deploy/compose/compose.yaml"

test("[OPS-5] the image copies what exists, and runs as a user who is not root, with a health check", () => {
  const stages = dockerfile(read("Dockerfile"))
  expect(stages).toHaveLength(2)
  const [build, image] = stages
  const scripts = JSON.parse(read("package.json")).scripts
  for (const { name, text } of build ?? []) {
    if (name === "COPY")
      for (const source of text.split(" ").slice(0, -1)) expect(existsSync(join(root, source))).toBe(true)
    for (const [, script = ""] of name === "RUN" ? text.matchAll(/npm run ([\w-]+)/g) : [])
      expect(scripts).toHaveProperty(script)
  }
  const last = (wanted: string) => image?.findLast(({ name }) => name === wanted)?.text
  expect(last("USER")).toBe("node")
  expect(last("HEALTHCHECK")).toContain("/readyz")
  expect(image?.filter(({ name, text }) => name === "COPY" && !text.startsWith("--from=build "))).toEqual([])
  // What the build needs is not ignored, and nothing that is built or private gets in.
  expect(read(".dockerignore").split("\n")).toEqual(
    expect.arrayContaining([".git", ".parlor", "**/node_modules", "**/dist"]),
  )
})

test("[OPS-5] every setting in the deployment files is documented", () => {
  const settings = read("README.md")
  const files = ["Dockerfile", COMPOSE, "deploy/compose/.env.example", UNIT].map(read).join("\n")
  const named = new Set(files.match(/\bPARLOR_[A-Z_]+/g))
  const own = ["PARLOR_DOMAIN", "PARLOR_UPSTREAMS"]
  for (const name of [...named].filter((one) => !own.includes(one))) expect(settings, name).toContain(`\`${name}\``)
  for (const name of own) expect(read("deploy/caddy/Caddyfile")).toContain(`{$${name}`)
})

test("[OPS-5] both servers of the composition stop slowly enough, share a database and are behind the proxy", () => {
  const text = read(COMPOSE)
  expect(text).toContain("stop_grace_period: 35s")
  expect(read(UNIT)).toContain("TimeoutStopSec=35")
  expect(text).toContain("PARLOR_UPSTREAMS: parlor-1:4141 parlor-2:4141")
  expect(text.match(/<<: \*parlor/g)).toHaveLength(2)
  for (const [, path = ""] of text.matchAll(/- (\.\.\/[^:]+):/g))
    expect(existsSync(join(root, "deploy/compose", path)), path).toBe(true)
  for (const [, name = ""] of text.matchAll(/\$\{(\w+):\?\}/g))
    expect(read("deploy/compose/.env.example")).toContain(`${name}=`)
})

test("[OPS-5] systemd accepts the unit and rates its exposure as low", (context) => {
  const analyze = findProgram("systemd-analyze")
  if ("missing" in analyze) return context.skip(analyze.missing)
  const verify = spawnSync(analyze.path, ["verify", join(root, UNIT)], { encoding: "utf8" })
  expect(`${verify.stdout}${verify.stderr}`).not.toMatch(/parlor\.service:/)
  const { stdout } = spawnSync(analyze.path, ["security", "--offline=true", join(root, UNIT)], { encoding: "utf8" })
  const level = Number(/exposure level for parlor\.service: ([\d.]+)/.exec(stdout)?.[1])
  expect(level).toBeLessThan(3)
})
