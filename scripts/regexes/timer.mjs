/** Times each expression with its attacks, in a worker so that an expression that never ends can be terminated. */
import { parentPort, workerData } from "node:worker_threads"
import { attacksOn, inputOf } from "./attacks.mjs"

/**
 * @typedef {import("./find.mjs").Found & { atMost?: number }} Timed
 * @typedef {{ index: number, attacks: number, ms: number, attack: import("./attacks.mjs").Attack | null }} Timing
 */

/** Lengths that reveal an exponential, a cubic and a quadratic expression within a reasonable time. */
const SHORT = [24, 256, 2_048, 16 * 1024]
const MIDDLE = 96 * 1024
const LONG = 1024 * 1024
/** How many of the slowest attacks on one expression are tried at full length. */
const WORST = 3
/** Up to the middle length. A linear expression takes a tenth of this. */
const HOPELESS_MS = 60
/** At full length, several times what the check allows: no second measurement can change the result. */
const DECIDED_MS = 4_000

const { expressions, from } = /** @type {{ expressions: Timed[], from: number }} */ (workerData)
for (const [index, expression] of expressions.entries())
  if (index >= from) parentPort?.postMessage(timeOf(index, expression))

/** @returns {Timing} */
function timeOf(/** @type {number} */ index, /** @type {Timed} */ { pattern, flags, atMost = LONG }) {
  const attacks = attacksOn(pattern, flags)
  const all = new RegExp(pattern, flags.includes("g") ? flags : `${flags}g`)
  /** @type {{ attack: import("./attacks.mjs").Attack, ms: number }[]} */
  const short = []
  for (const attack of attacks) {
    const ms = growing(all, attack, SHORT, atMost)
    short.push({ attack, ms })
    if (ms > HOPELESS_MS) break
  }
  const worst = short.sort((a, b) => b.ms - a.ms).slice(0, WORST)
  /** @type {typeof short} */
  const timed = []
  for (const { attack, ms } of worst) {
    const full = ms > HOPELESS_MS ? ms : growing(all, attack, [MIDDLE, LONG], atMost)
    timed.push({ attack, ms: full })
    if (full > DECIDED_MS) break
  }
  const [slowest] = timed.sort((a, b) => b.ms - a.ms)
  return { index, attacks: attacks.length, ms: slowest?.ms ?? 0, attack: slowest?.attack ?? null }
}

/**
 * The time for the last length. If a shorter one already takes far too long, the result is extrapolated quadratically
 * instead of measured.
 */
function growing(
  /** @type {RegExp} */ all,
  /** @type {import("./attacks.mjs").Attack} */ attack,
  /** @type {readonly number[]} */ lengths,
  /** @type {number} */ atMost,
) {
  let ms = 0
  for (const length of lengths.map((one) => Math.min(one, atMost))) {
    ms = msOf(all, inputOf(attack, length))
    if (ms > HOPELESS_MS && length < atMost && length <= MIDDLE) return ms * (atMost / length) ** 2
  }
  return ms
}

/** The better of two runs: the first may include compiling the expression. */
function msOf(/** @type {RegExp} */ all, /** @type {string} */ input) {
  const first = once(all, input)
  return first < 5 || first > DECIDED_MS ? first : Math.min(first, once(all, input))
}

/** CPU time instead of wall time, so that a busy machine does not matter. */
function once(/** @type {RegExp} */ all, /** @type {string} */ input) {
  const started = process.cpuUsage()
  input.replace(all, "")
  return process.cpuUsage(started).user / 1_000
}
