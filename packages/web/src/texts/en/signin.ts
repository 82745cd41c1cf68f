import { texts } from "../texts.ts"

export const t = texts("signin", {
  signInToParlor: "Sign in to Parlor",
  signIn: "Sign in",
  signingIn: "Signing you in…",
  tryAgain: "Try again",
  youSignInAt: "You sign in at {host} and come back here.",
  cantSignInNow: "Your conversations are kept. You can read them as soon as you are signed in.",
  yourSessionHasEnded: "Your session has ended. Sign in again to continue. What you wrote is kept.",
  youAreSignedOut: "You are signed out.",
  tokenRejected: "The server rejected this browser's token. Sign in, or use the latest token.",
  useAToken: "Use a token",
  tokensAreFor: "For the owner of this server, and for API keys.",
  denied: "Sign-in was canceled, or you are not allowed to use this server.",
  expired: "This sign-in has expired or was started in another window. Try again.",
  clock: "The date or time of this device seems to be wrong. Correct it, then try again.",
  unreachable: "The sign-in service can't be reached right now. Try again in a moment.",
  rejected: "This server did not accept your sign-in: {reason} Ask whoever runs this server to check its settings.",
  insecure: "Sign-in works only over https. Open this page with an address that starts with https://.",
  storage: "Your browser blocks storage for this page, which sign-in needs. Allow it, then try again.",
  failed: "Sign-in failed. Try again, or ask whoever runs this server.",
  failedBecause: "Sign-in failed: {reason} Try again, or ask whoever runs this server.",
})
