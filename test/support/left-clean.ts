/** Test files that share a process must not leave a changed clock, global or setting to the next one. */
import { afterAll, vi } from "vitest"

afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
