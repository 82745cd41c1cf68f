import type { SignInView } from "@parlor/protocol"
import { ChevronRight } from "lucide-react"
import { type ReactNode, useCallback, useEffect, useState } from "react"
import { t } from "../../texts/en/signin.ts"
import { Button } from "../../ui/Button.tsx"
import { Mark } from "../../ui/Mark.tsx"
import { TokenForm } from "../token/TokenForm.tsx"
import { TokenPage } from "../token/TokenPage.tsx"
import type { Arrival } from "./arrival.ts"
import { useOver } from "./browserSessions.ts"
import { SignInProblem } from "./problem.ts"
import { problemText } from "./problemText.ts"
import { readSignIn } from "./readSignIn.ts"

export type SignInPageProps = {
  /** The issuer sent the person back with this. */
  readonly arrival: Arrival | undefined
  /** True when the server rejected this browser's token. */
  readonly refused: boolean
  readonly onToken: (token: string) => void
}

/** Shown to whoever is not signed in: the way to the issuer, or a field for a token where there is none. */
export function SignInPage({ arrival: given, refused, onToken }: SignInPageProps) {
  const [arrival] = useState(() => (completing?.arrival === given ? undefined : given))
  const [signIn, setSignIn] = useState<SignInView | null>()
  const [problem, setProblem] = useState<SignInProblem>()
  const [isBusy, setBusy] = useState(arrival !== undefined)
  const attempt = useCallback(async (work: () => Promise<void>) => {
    setProblem(undefined)
    setBusy(true)
    try {
      await work()
    } catch (error) {
      setProblem(error instanceof SignInProblem ? error : new SignInProblem("failed", String(error)))
      setBusy(false)
    }
  }, [])
  const look = useCallback(
    () =>
      attempt(async () => {
        setSignIn(await readSignIn())
        setBusy(false)
      }),
    [attempt],
  )
  useEffect(() => {
    if (arrival === undefined) void look()
    else
      void attempt(async () => {
        setSignIn(await readSignIn())
        await completeOnce(arrival)
      })
  }, [arrival, attempt, look])
  if (signIn === null && problem === undefined) return <TokenPage refused={refused} onToken={onToken} />
  if (signIn === undefined && problem === undefined && arrival === undefined) return <main aria-busy />
  const begin = () => (signIn ? attempt(async () => (await loadFlow()).beginSignIn(signIn)) : look())
  return (
    <Frame onToken={onToken}>
      {problem !== undefined ? (
        <Bad>{problemText(problem)}</Bad>
      ) : refused ? (
        <Bad>{t("tokenRejected")}</Bad>
      ) : (
        <OverNote />
      )}
      <p className="mt-3 text-muted">
        {signIn ? t("youSignInAt", { host: new URL(signIn.endpoints.authorization).host }) : t("cantSignInNow")}
      </p>
      <Button look="main" className="mt-6 min-h-11 w-full" disabled={isBusy} onClick={begin} data-autofocus>
        {isBusy ? t("signingIn") : problem === undefined ? t("signIn") : t("tryAgain")}
      </Button>
      <p role="status" className="sr-only">
        {isBusy && t("signingIn")}
      </p>
    </Frame>
  )
}

/** Not needed where people use a token. */
const loadFlow = () => import("./flow.ts")

let completing: { readonly arrival: Arrival; readonly done: Promise<void> } | undefined

/** An arrival can be used once, however often the page is drawn. */
function completeOnce(arrival: Arrival): Promise<void> {
  if (completing?.arrival !== arrival)
    completing = { arrival, done: loadFlow().then((flow) => flow.completeSignIn(arrival)) }
  return completing.done
}

function Frame({ onToken, children }: { readonly onToken: (token: string) => void; readonly children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-full max-w-md flex-col justify-center px-6 py-12">
      <Mark className="size-11" />
      <h1 className="mt-5 font-semibold text-2xl tracking-tight">{t("signInToParlor")}</h1>
      {children}
      <details className="group mt-8 border-line border-t pt-4 text-sm">
        <summary className="flex cursor-pointer items-center gap-1.5 rounded-md py-1 text-muted hover:text-ink pointer-coarse:py-2.5">
          <ChevronRight aria-hidden className="size-3.5 transition-transform group-open:rotate-90" />
          {t("useAToken")}
        </summary>
        <p className="mt-2 text-muted">{t("tokensAreFor")}</p>
        <TokenForm onToken={onToken} />
      </details>
    </main>
  )
}

/** Why the person is here although they had signed in. */
function OverNote() {
  const over = useOver()
  if (over === undefined) return null
  const words = over.over === "expired" ? t("yourSessionHasEnded") : t("youAreSignedOut")
  return (
    <p role="status" className="mt-3 rounded-lg bg-tint px-3.5 py-2.5">
      {words}
    </p>
  )
}

function Bad({ children }: { readonly children: string }) {
  return (
    <p role="alert" className="mt-3 break-words rounded-lg bg-bad-tint px-3.5 py-2.5 text-bad">
      {children}
    </p>
  )
}
