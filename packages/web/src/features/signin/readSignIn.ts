import type { AnswerOf, SignInView } from "@parlor/protocol"
import { SignInProblem } from "./problem.ts"

/** How people sign in here; null if they use a token. */
export async function readSignIn(): Promise<SignInView | null> {
  const response = await fetch("/v1/sign-in", { cache: "no-store" }).catch((error: unknown) => {
    throw new SignInProblem("unreachable", String(error))
  })
  if (!response.ok) throw new SignInProblem("unreachable", `The server responded ${response.status}.`)
  const { signIn } = (await response.json()) as AnswerOf<"readSignIn">
  return signIn
}
