import { expect, test } from "vitest"
import { readSettings } from "./settings.ts"

test("the lease is 10 s unless PARLOR_LEASE_MS says otherwise", () => {
  expect(readSettings({}).leaseMs).toBe(10_000)
  expect(readSettings({ PARLOR_LEASE_MS: "1500" }).leaseMs).toBe(1_500)
  for (const text of ["soon", "0", "499", "1.5e3.0", "600001", "-1"])
    expect(() => readSettings({ PARLOR_LEASE_MS: text }), text).toThrow(/PARLOR_LEASE_MS/)
})

test("[BRA-4] a sidecar that is closed is kept unless PARLOR_CLOSED_SIDECARS says otherwise", () => {
  expect(readSettings({}).closedSidecars).toBe("keep")
  expect(readSettings({ PARLOR_CLOSED_SIDECARS: "delete" }).closedSidecars).toBe("delete")
  expect(() => readSettings({ PARLOR_CLOSED_SIDECARS: "burn" })).toThrow(/PARLOR_CLOSED_SIDECARS/)
})
