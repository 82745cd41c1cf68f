import type { Services } from "../services.ts"

export const handlers = { readSignIn }

async function readSignIn({ pageSignIn }: Services) {
  return { signIn: pageSignIn === undefined ? null : await pageSignIn.view() }
}
