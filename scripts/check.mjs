/** `npm run check`: all static checks. Prints one line per check, and the output of those that fail. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { cache, ensureInstalled, root, script } from "./setup.mjs"

const bin = (/** @type {string[]} */ ...path) => join(root, "node_modules", ...path)
const tsc = bin("typescript", "bin", "tsc")
/** What the compiler found is kept, so that the next run looks only at what changed. */
const kept = (/** @type {string} */ name) => ["--incremental", "--tsBuildInfoFile", join(cache, `${name}.tsbuildinfo`)]
const IN_PARALLEL = 2

/** @type {readonly { name: string, args: readonly string[] }[]} */
const CHECKS = [
  {
    name: "format and lint",
    args: [bin("@biomejs", "biome", "bin", "biome"), "ci", "--colors=off", "--error-on-warnings", "."],
  },
  { name: "types of the packages", args: [tsc, "-b", "--pretty", "false"] },
  {
    name: "types of tests and scripts",
    args: [tsc, "-p", "tsconfig.test.json", "--pretty", "false", ...kept("tests")],
  },
  { name: "types of the page", args: [tsc, "-p", "packages/web", "--noEmit", "--pretty", "false", ...kept("page")] },
  { name: "import directions and cycles", args: [join(root, "scripts", "imports.mjs")] },
  { name: "stores have the same files", args: [join(root, "scripts", "stores.mjs")] },
  {
    name: "unused files, exports and dependencies",
    args: [bin("knip", "bin", "knip.js"), "--no-progress", "--no-config-hints"],
  },
  {
    name: "regular expressions are linear",
    args: ["--import", "tsx", "--conditions=@parlor/source", join(root, "scripts", "regexes.mjs")],
  },
  { name: "packages can be published", args: [join(root, "scripts", "packages.mjs")] },
  { name: "bundle sizes", args: [join(root, "scripts", "sizes.mjs")] },
  { name: "texts of the page", args: [join(root, "scripts", "texts.mjs")] },
  { name: "rules quoted by tests", args: [join(root, "scripts", "rules.mjs")] },
]

/**
 * Runs every check, prints what failed and returns the number of failures.
 *
 * @returns {Promise<number>}
 */
export async function check() {
  let failed = 0
  const left = [...CHECKS]
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const started = Date.now()
      const { ok, said } = await hear(next.args)
      const seconds = ((Date.now() - started) / 1000).toFixed(1)
      console.log(`${ok ? "ok    " : "FAILED"} ${next.name} (${seconds} s)${ok ? lastLine(said) : ""}`)
      if (ok) continue
      failed += 1
      console.log(said.trimEnd())
    }
  }
  await Promise.all(Array.from({ length: IN_PARALLEL }, work))
  return failed
}

/**
 * @param {readonly string[]} args
 * @returns {Promise<{ ok: boolean, said: string }>}
 */
function hear(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
    let said = ""
    const take = (/** @type {Buffer} */ chunk) => {
      said += chunk.toString()
    }
    child.stdout.on("data", take)
    child.stderr.on("data", take)
    child.on("error", (error) => resolve({ ok: false, said: String(error) }))
    child.on("close", (code) => resolve({ ok: code === 0, said }))
  })
}

/** Our own checks print a summary as their last line; the others print nothing on success. */
function lastLine(/** @type {string} */ said) {
  const line = said.trimEnd().split("\n").at(-1) ?? ""
  return /^(imports|packages|regexes|rules|sizes|stores|texts): /.test(line) ? `: ${line.replace(/^\w+: /, "")}` : ""
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await script(async () => {
    await ensureInstalled()
    const failed = await check()
    if (failed > 0) process.exitCode = 1
  })
}
