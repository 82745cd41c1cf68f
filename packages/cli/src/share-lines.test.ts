import type { ShareView } from "@parlor/protocol"
import { expect, test } from "vitest"
import { shareLine } from "./share-lines.ts"

const share: ShareView = {
  id: "shr_1",
  agent: "host",
  branch: "main",
  mode: "snapshot",
  viewer: null,
  shows: { name: false, details: false, files: false },
  createdAt: 0,
  expiresAt: Date.UTC(2027, 0, 31),
  revokedAt: null,
}

test("[SHR-10] a share says what it is of, with whom, until when and what more it shows", () => {
  expect(shareLine(share, 0)).toBe("shr_1  host/main  link  snapshot  expires 2027-01-31")
  const seen: ShareView = { ...share, viewer: "ana", mode: "live", expiresAt: null }
  expect(shareLine({ ...seen, shows: { name: true, details: false, files: true } }, 0)).toBe(
    "shr_1  host/main  with ana  live  never expires  shows your name, files",
  )
  expect(shareLine({ ...share, revokedAt: 5 }, 9)).toBe("shr_1  host/main  link  snapshot  revoked")
})
