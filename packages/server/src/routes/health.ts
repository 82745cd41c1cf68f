import { Fault } from "@parlor/protocol"
import type { Services } from "../services.ts"

export const handlers = { live, ready, health: ready }

async function live({ version }: Services) {
  return { ok: true, version }
}

/** The problem names the failed check and nothing else, because anybody can read it. */
async function ready({ version, readiness }: Services) {
  const failed = await readiness()
  if (failed.length === 0) return { ok: true, version }
  const detail = failed.map(({ name, why }) => `${name}: ${why}`).join("; ")
  throw new Fault(detail, { code: "server.not-ready", retryAfterMs: RETRY_MS })
}

const RETRY_MS = 5_000
