/**
 * Checks that every regular expression of the product runs in linear time. Each is timed with a megabyte of hostile
 * input generated for it; one that is slower than any linear expression fails the check (SEC-27).
 *
 *     node --import tsx --conditions=@parlor/source scripts/regexes.mjs [--list]
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import { BOUNDED } from "./regexes/bounded.mjs"
import { findRegexes } from "./regexes/find.mjs"
import { cache } from "./setup.mjs"

/**
 * @typedef {import("./regexes/timer.mjs").Timed} Timed
 * @typedef {import("./regexes/timer.mjs").Timing} Timing
 */

/** For a megabyte. A linear expression takes a few milliseconds, a quadratic one minutes. */
const MAX_MS = 1_000
/** For input whose length is bounded before it reaches the expression. */
const MAX_BOUNDED_MS = 20
/** For all attacks on one expression together; beyond this it counts as never ending. */
const PATIENCE_MS = 60_000
/** Expressions already found linear, so that the next run times only new ones. */
const PASSED = join(cache, "regexes.json")

/**
 * @param {readonly Timed[]} expressions
 * @returns {Promise<readonly Timing[]>}
 */
export async function timeAll(expressions) {
  /** @type {Timing[]} */
  const timings = []
  while (timings.length < expressions.length) {
    await timeFrom(expressions, timings)
    if (timings.length < expressions.length)
      timings.push({ index: timings.length, attacks: 0, ms: Number.POSITIVE_INFINITY, attack: null })
  }
  return timings
}

/** Resolves when all are timed, or when one exceeds its time. */
function timeFrom(/** @type {readonly Timed[]} */ expressions, /** @type {Timing[]} */ timings) {
  return /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL("./regexes/timer.mjs", import.meta.url), {
        workerData: { expressions, from: timings.length },
        execArgv: [],
      })
      const giveUp = () => void worker.terminate()
      let timer = setTimeout(giveUp, PATIENCE_MS)
      worker.on("message", (/** @type {Timing} */ timing) => {
        timings.push(timing)
        clearTimeout(timer)
        timer = setTimeout(giveUp, PATIENCE_MS)
      })
      worker.on("error", reject)
      worker.on("exit", () => {
        clearTimeout(timer)
        resolve()
      })
    })
  )
}

/**
 * @param {readonly Timed[]} expressions
 * @param {readonly Timing[]} timings
 * @returns {string[]} one sentence per violation
 */
export function judge(expressions, timings) {
  return timings.flatMap(({ index, ms, attack }) => {
    const one = expressions[index]
    const most = one?.atMost === undefined ? MAX_MS : MAX_BOUNDED_MS
    if (one === undefined || ms <= most) return []
    const took = Number.isFinite(ms) ? `${Math.round(ms)} ms` : "forever"
    const input = attack === null ? "" : ` for ${JSON.stringify(attack)}`
    return [`${one.file}: /${one.pattern}/${one.flags} takes ${took}${input}; make it linear or write a scanner`]
  })
}

/**
 * Expressions found linear by this version of the check. Editing the check invalidates the cache.
 *
 * @returns {Set<string>}
 */
function readPassed(/** @type {string} */ by) {
  if (!existsSync(PASSED)) return new Set()
  const kept = /** @type {{ by?: string, passed?: string[] }} */ (JSON.parse(readFileSync(PASSED, "utf8")))
  return new Set(kept.by === by ? kept.passed : [])
}

function ownText() {
  const folder = fileURLToPath(new URL("./regexes", import.meta.url))
  return [fileURLToPath(import.meta.url), ...readdirSync(folder).map((name) => join(folder, name))]
    .map((file) => readFileSync(file, "utf8"))
    .join("\n")
}

const keyOf = (/** @type {Timed} */ { pattern, flags, atMost }) => `${atMost ?? ""} /${pattern}/${flags}`

async function main() {
  const { found, defects } = await findRegexes()
  const all = found.map((one) => {
    const bound = BOUNDED.find(({ file, pattern }) => file === one.file && pattern === one.pattern)
    return bound === undefined ? one : { ...one, atMost: bound.atMost }
  })
  const isListing = process.argv.includes("--list")
  const by = ownText()
  const passed = isListing ? new Set() : readPassed(by)
  const fresh = all.filter(
    (one, at) => !passed.has(keyOf(one)) && all.findIndex((other) => keyOf(other) === keyOf(one)) === at,
  )
  const timings = await timeAll(fresh)
  if (isListing) for (const timing of timings) console.log(lineOf(fresh, timing))
  const unused = BOUNDED.filter(
    (bound) => !found.some(({ file, pattern }) => file === bound.file && pattern === bound.pattern),
  )
  const slow = judge(fresh, timings)
  const wrong = [
    ...defects,
    ...unused.map(
      ({ file, pattern }) => `scripts/regexes/bounded.mjs lists /${pattern}/ of ${file}, which does not exist`,
    ),
    ...slow,
  ]
  for (const sentence of wrong) console.error(sentence)
  if (slow.length === 0) {
    mkdirSync(cache, { recursive: true })
    writeFileSync(PASSED, JSON.stringify({ by, passed: all.map(keyOf) }))
  }
  const attacks = timings.reduce((sum, timing) => sum + timing.attacks, 0)
  console.log(`regexes: ${all.length} expressions, ${fresh.length} timed with ${attacks} attacks`)
  process.exitCode = wrong.length > 0 ? 1 : 0
}

function lineOf(/** @type {readonly Timed[]} */ expressions, /** @type {Timing} */ { index, attacks, ms }) {
  const one = expressions[index]
  return `${ms.toFixed(1).padStart(8)} ms ${String(attacks).padStart(5)}  ${one?.file}  /${one?.pattern}/${one?.flags}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
