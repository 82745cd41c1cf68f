/**
 * Attacks a server of yours from outside.
 *
 *   node test/attack/run.mjs [name…]                                  starts one to attack
 *   node test/attack/run.mjs --url http://127.0.0.1:4141 --token … [--pid …] [name…]
 *
 * --long runs them in full. --anywhere allows an address that is not this machine's: attack only servers of your own.
 */
import { parseArgs } from "node:util"
import { attacks } from "./attacks.mjs"
import { startServer } from "./server.mjs"
import { targetOf } from "./target.mjs"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: "string" },
    token: { type: "string" },
    pid: { type: "string" },
    long: { type: "boolean", default: false },
    anywhere: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
})

const chosen = await attacks(positionals)
if (values.list) for (const { name, rule, description } of chosen) console.log(`${name} [${rule}] ${description}`)
else process.exitCode = await attackAll()

async function attackAll() {
  const own = values.url === undefined ? await startServer() : undefined
  const target = own?.target ?? targetOf(values.url ?? "", values.token ?? "", given())
  let failed = 0
  try {
    for (const { name, rule, run } of chosen) {
      const began = performance.now()
      try {
        const seen = await run(target, { long: values.long })
        console.log(`held    ${name} [${rule}] ${seconds(began)} ${JSON.stringify(seen)}`)
      } catch (error) {
        failed++
        console.log(`BROKEN  ${name} [${rule}] ${seconds(began)}`, error)
      }
    }
  } finally {
    await own?.stop()
  }
  return failed === 0 ? 0 : 1
}

function given() {
  return { anywhere: values.anywhere, ...(values.pid === undefined ? {} : { pid: Number(values.pid) }) }
}

/** @param {number} began */
function seconds(began) {
  return `${((performance.now() - began) / 1_000).toFixed(1)} s`
}
