/**
 * Loaded into a server (`--import`): shifts its wall clock by the number of milliseconds in the file SKEW_FILE, and jumps
 * when the file changes. Timers and the monotonic clock are not affected.
 */
import { readFileSync } from "node:fs"

const LOOK_EVERY_MS = 50
const RealDate = Date
let skewMs = 0

function look() {
  try {
    skewMs = Number(readFileSync(process.env.SKEW_FILE ?? "", "utf8")) || 0
  } catch {
    skewMs = 0
  }
}

look()
setInterval(look, LOOK_EVERY_MS).unref()

globalThis.Date = class SkewedDate extends RealDate {
  /** @param {any[]} args */
  constructor(...args) {
    // @ts-expect-error: the arguments are those of Date, in any of its forms
    if (args.length > 0) super(...args)
    else super(RealDate.now() + skewMs)
  }

  static now() {
    return RealDate.now() + skewMs
  }
}
