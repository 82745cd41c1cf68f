/** Test files that share a process leave no clock, global or setting of theirs to the next one. */
import { afterAll, vi } from "vitest"

afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
