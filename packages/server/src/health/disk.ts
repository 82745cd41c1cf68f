/** Whether a folder's disk has enough free space (SEC-16). */
import { statfs } from "node:fs/promises"
import { limits } from "@parlor/protocol"
import type { ReadinessCheck } from "./readiness.ts"

export function diskCheck(folder: string, reserveBytes: number = limits.diskReserveBytes): ReadinessCheck {
  return {
    name: "disk",
    check: async () => {
      const { bavail, bsize } = await statfs(folder)
      const free = bavail * bsize
      return free < reserveBytes
        ? `${megabytes(free)} MB free, the reserve is ${megabytes(reserveBytes)} MB`
        : undefined
    },
  }
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024)
}
