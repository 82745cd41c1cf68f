/** How people sign in on the page (SEC-39). */
import { z } from "zod"
import { type DescribedRoute, ok } from "./route.ts"

const signInView = z.object({
  issuer: z.string(),
  clientId: z.string(),
  /** The audience of the tokens that this server accepts. */
  audience: z.string(),
  scopes: z.array(z.string()),
  /** More parameters of the authorization request. */
  parameters: z.record(z.string(), z.string()),
  /** Which token the page sends. The ID token is for the client, so only if that is the audience. */
  sends: z.enum(["access-token", "id-token"]),
  /** From the issuer's metadata. */
  endpoints: z.object({
    authorization: z.string(),
    token: z.string(),
    endSession: z.string().nullable(),
    revocation: z.string().nullable(),
  }),
  /** How the issuer may sign ID tokens. */
  algorithms: z.array(z.string()),
  /** Whether the issuer names itself in its authorization responses (RFC 9207). */
  namesItself: z.boolean(),
})
export type SignInView = z.infer<typeof signInView>

export const signInRoutes = {
  readSignIn: {
    needs: "nothing",
    summary: "How people sign in on the page: issuer, client, audience, scopes; null if they do not",
    answer: ok(z.object({ signIn: signInView.nullable() })),
  },
} as const satisfies Record<string, DescribedRoute>
