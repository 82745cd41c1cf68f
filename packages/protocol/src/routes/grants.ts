/** Standing permissions: tools that a person always allows (ASK-4). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { grantRow } from "../rows/grant.ts"
import { type DescribedRoute, ok } from "./route.ts"

export const grantRoutes = {
  listGrants: {
    needs: "read",
    summary: "The tools that the caller always allows, newest first",
    answer: ok(z.object({ grants: z.array(grantRow) })),
  },
  revokeGrant: {
    needs: "write",
    summary: "Asks before this tool is used again",
    params: z.object({ grant: z.string().min(1).max(limits.grantIdLength) }),
    answer: { status: 204 },
  },
} as const satisfies Record<string, DescribedRoute>
