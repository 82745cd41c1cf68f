/** The caller: who they are, and what they may do. */
import { z } from "zod"
import { scope } from "../requests.ts"
import { millis } from "../rows/fields.ts"
import { type DescribedRoute, ok } from "./route.ts"

const accountView = z.object({
  person: z.string(),
  /** The local token, an API key, or a JWT of the issuer. */
  credential: z.enum(["token", "key", "sign-in"]),
  scopes: z.array(scope),
  /** Of the credential; null if it does not expire. */
  expiresAt: millis.nullable(),
  /** The latest `expiresAt` of a key that this caller may create now; null for no limit. */
  keysUntil: millis.nullable(),
  /** Whether this is the owner of the server. */
  isOwner: z.boolean(),
})
export type AccountView = z.infer<typeof accountView>

export const accountRoutes = {
  readAccount: {
    needs: "read",
    summary: "Who the caller is, by which credential, and what it allows",
    answer: ok(accountView),
  },
} as const satisfies Record<string, DescribedRoute>
