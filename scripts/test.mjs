/**
 * `npm test`: setup, build, checks, tests. The last line is always `N passed, N failed, N skipped`; a failed check counts
 * as one failure. An interrupted run reports the files that had finished.
 *
 *   npm test                   everything
 *   npm test -- queue          the test files whose path contains "queue"; no checks
 *   npm test -- -t "[LOG-3]"   any argument of vitest; no checks
 *   npm test -- --long         everything, with the long rounds of the fault and simulation tests
 */
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { ensureBrowser, ensureBubblewrap } from "./browser.mjs"
import { check } from "./check.mjs"
import { OTHER_NODES, otherNode } from "./node-versions.mjs"
import { cache, ensureBuilt, ensureInstalled, root, StepFailed, script } from "./setup.mjs"

/** The whole run should take less than 12 minutes on two idle cores; the limit leaves room for a busy machine. */
const TESTS_LIMIT_MS = 40 * 60_000
const KILL_AFTER_MS = 15_000
const PROGRESS = join(cache, "tests.jsonl")
const SLOWEST_SHOWN = 8

const SMOKE = ["packages/store/src/sqlite/sqlite.test.ts", "test/http/conversation.test.ts", "test/e2e/page.test.ts"]
const SMOKE_TESTS = "\\[(LOG-[1458]|QUE-1|TRN-4)\\b|first message to host"
const SMOKE_LIMIT_MS = 5 * 60_000

await script(async () => {
  const started = Date.now()
  const args = process.argv.slice(2).filter((arg) => arg !== "--long")
  const long = args.length < process.argv.length - 2
  await ensureInstalled()
  let failed = await build()
  if (args.length === 0) failed += await check()
  const browser = findNeededBrowser(args)
  if (browser === "missing") failed += 1
  const env = { ...process.env, ...(long ? { PARLOR_LONG: "1" } : {}), ...(browser === "missing" ? {} : browser) }
  const code = await vitest(args, { env, limitMs: long ? undefined : TESTS_LIMIT_MS })
  const tests = readProgress(code)
  failed += tests.failed
  if (args.length === 0)
    for (const version of OTHER_NODES) {
      const others = await smoke(version, env)
      tests.passed += others.passed
      tests.skipped += others.skipped
      failed += others.failed
    }
  console.log(`Took ${((Date.now() - started) / 1000).toFixed(0)} s`)
  console.log(`${tests.passed} passed, ${failed} failed, ${tests.skipped} skipped`)
  process.exitCode = failed > 0 || code !== 0 ? 1 : 0
})

/**
 * A few tests of the store, the HTTP API and the page, on another version of Node (OPS-3). test/e2e/installed.test.ts adds
 * installed packages.
 *
 * @param {string} version
 * @param {NodeJS.ProcessEnv} env
 */
async function smoke(version, env) {
  const node = await otherNode(version)
  if ("missing" in node) {
    console.log(`Skipped: ${node.missing}`)
    return { passed: 0, failed: 0, skipped: 1 }
  }
  console.log(`On Node ${version}`)
  const code = await vitest([...SMOKE, "-t", SMOKE_TESTS], { env, limitMs: SMOKE_LIMIT_MS, node: node.path })
  const { passed, failed } = readProgress(code)
  return { passed, failed, skipped: 0 }
}

/** A failed build has printed its errors; tests that do not need it are still worth running. */
async function build() {
  try {
    await ensureBuilt({ web: true })
    return 0
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    console.error(error.message)
    return 1
  }
}

/**
 * The browser's path for the browser tests, if any of them will run.
 *
 * @param {string[]} args
 * @returns {NodeJS.ProcessEnv | "missing"}
 */
function findNeededBrowser(args) {
  const filters = args.filter((arg) => !arg.startsWith("-"))
  const files = ["test", "packages"].flatMap((folder) => testFiles(folder))
  const chosen = files.filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
  if (chosen.some((file) => file.startsWith("packages/sandbox/"))) ensureBubblewrap()
  const needed = chosen.some((file) => file.startsWith("test/e2e/") || drivesBrowser(file))
  if (!needed) return {}
  try {
    return { PARLOR_CHROMIUM: ensureBrowser() }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return "missing"
  }
}

/** @param {string} file */
function drivesBrowser(file) {
  return readFileSync(join(root, file), "utf8").includes('from "playwright-core"')
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function testFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === "node_modules" || entry.name === "dist" ? [] : testFiles(path)
    return /\.test\.tsx?$/.test(entry.name) ? [path] : []
  })
}

/**
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, limitMs: number | undefined, node?: string }} options
 * @returns {Promise<number>} its exit code
 */
async function vitest(args, { env, limitMs, node = process.execPath }) {
  mkdirSync(cache, { recursive: true })
  rmSync(PROGRESS, { force: true })
  const reporters = ["--reporter=default", `--reporter=${join(root, "test", "support", "progress-reporter.ts")}`]
  const program = join(root, "node_modules", "vitest", "vitest.mjs")
  // Its own process group, so that a timeout also kills stuck workers and their child processes.
  /** @type {import("node:child_process").SpawnOptions} */
  const options = {
    cwd: root,
    env: { ...env, PARLOR_TEST_PROGRESS: PROGRESS },
    stdio: ["ignore", "inherit", "inherit"],
    detached: true,
  }
  const child = spawn(node, [program, "run", ...reporters, ...args], options)
  let ended = false
  const end = () => {
    ended = true
    child.kill("SIGINT")
  }
  process.on("SIGTERM", end)
  process.on("SIGINT", end)
  const timers = limitMs === undefined ? [] : [setTimeout(giveUp, limitMs)]
  function giveUp() {
    console.error(`Timed out after ${(limitMs ?? 0) / 60_000} minutes`)
    end()
    timers.push(setTimeout(killGroup, KILL_AFTER_MS))
  }
  function killGroup() {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
    } catch {
      // The group has already exited.
    }
  }
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (status) => resolve(status ?? 1))
  })
  for (const timer of timers) clearTimeout(timer)
  if (ended) killGroup()
  return code
}

/**
 * Counts the tests of the files that finished, and lists the failures if the run was interrupted before it could.
 *
 * @param {number} code
 */
function readProgress(code) {
  const lines = existsSync(PROGRESS) ? readFileSync(PROGRESS, "utf8").trim().split("\n") : []
  const [start, ...ends] = lines.map((line) => JSON.parse(line))
  /** @type {{ file: string, ms: number, passed: number, skipped: number, failed: string[], broken: boolean }[]} */
  const files = ends
  const missing = (start?.files ?? 1) - files.length
  const bad = files.filter((file) => file.failed.length > 0 || file.broken)
  if (missing > 0) {
    console.error(`${missing} test files did not finish.`)
    for (const { file, failed } of bad) for (const name of failed) console.error(`FAILED ${file} > ${name}`)
  }
  if (files.length > SLOWEST_SHOWN) {
    const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST_SHOWN)
    console.log(`Slowest: ${slowest.map(({ file, ms }) => `${file} ${(ms / 1000).toFixed(0)} s`).join(", ")}`)
  }
  const failed = sum(bad.map((file) => file.failed.length + (file.broken ? 1 : 0))) + missing
  return {
    passed: sum(files.map((file) => file.passed)),
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: sum(files.map((file) => file.skipped)),
  }
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((all, one) => all + one, 0)
}
