/**
 * `vi.waitFor` gives up after a second by default, which is too short for a busy machine, and vitest has no setting for
 * it. A call may still choose its own time.
 */
import { vi } from "vitest"

const PATIENCE = { timeout: 10_000, interval: 20 }
const { waitFor } = vi

const patient: typeof waitFor = (look, options) =>
  waitFor(look, { ...PATIENCE, ...(typeof options === "number" ? { timeout: options } : options) })

// Test files that share a process run this once each.
if (!("isPatient" in waitFor)) vi.waitFor = Object.assign(patient, { isPatient: true })
