import { Parlor } from "@parlor/client"
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react"
import { NameContext } from "./features/account/NameContext.ts"
import { browserSlots } from "./features/connection/streamSlots.ts"
import { ownDrafts } from "./features/draft/draft.ts"
import { browserKeep, browserStorage, windowStorage } from "./features/keep/keep.ts"
import { OwnContext } from "./features/keep/OwnContext.ts"
import { ownIn } from "./features/keep/own.ts"
import { personKey } from "./features/keep/personKey.ts"
import { leavePush } from "./features/push/leavePush.ts"
import type { Arrival } from "./features/signin/arrival.ts"
import { sessions, useSession } from "./features/signin/browserSessions.ts"
import { sessionToken } from "./features/signin/sessionToken.ts"
import { DeskContext } from "./features/tab/DeskContext.ts"
import { Desk } from "./features/tab/desk.ts"
import { browserShelf } from "./features/tab/shelf.ts"
import { type Access, keepToken } from "./features/token/intake.ts"
import { SwitchDialog } from "./features/token/SwitchDialog.tsx"
import { useOffered } from "./features/token/useOffered.ts"
import { Room } from "./Room.tsx"

const slots = browserSlots()
const SignInPage = lazy(() => import("./features/signin/SignInPage.tsx").then((m) => ({ default: m.SignInPage })))

export type AppProps = {
  readonly access: Access
  readonly onAccess: (access: Access) => void
  /** The issuer sent the person back with this. */
  readonly arrival: Arrival | undefined
}

export function App({ access: { token, offered }, onAccess, arrival }: AppProps) {
  const [isRefused, setRefused] = useState(false)
  const session = useSession()
  const open = useCallback(
    (given: string | undefined) => {
      keepToken(given, browserKeep)
      // A browser has one account at a time.
      if (given !== undefined) sessions.write(undefined)
      onAccess({ token: given, offered: undefined })
      setRefused(false)
    },
    [onAccess],
  )
  const isSignedIn = token !== undefined || session !== undefined
  useOffered(
    useCallback(
      (given) => (isSignedIn ? given !== token && onAccess({ token, offered: given }) : open(given)),
      [isSignedIn, token, open, onAccess],
    ),
  )
  const onRefused = useCallback(() => {
    if (token === undefined) {
      const over = sessions.read()
      if (over !== undefined) sessions.write({ over: "expired", person: over.person })
    }
    // The server no longer accepts this account's credential, so there is no account to switch from.
    open(offered)
    setRefused(token !== undefined && offered === undefined)
  }, [open, offered, token])
  const onLeave = useCallback(() => {
    open(undefined)
    if (session !== undefined) void import("./features/signin/flow.ts").then(({ signOut }) => signOut(session))
  }, [open, session])
  const account: Account | undefined =
    token !== undefined
      ? { key: token, token, person: personKey(token), name: undefined }
      : session && {
          key: session.person,
          session: session.person,
          person: personKey(session.person),
          name: session.name,
        }
  if (account === undefined)
    return (
      <Suspense fallback={<main aria-busy />}>
        <SignInPage arrival={arrival} refused={isRefused} onToken={open} />
      </Suspense>
    )
  return (
    <SignedIn
      {...account}
      key={account.key}
      isOffered={offered !== undefined}
      onSwitch={() => open(offered)}
      onStay={() => onAccess({ token, offered: undefined })}
      onRefused={onRefused}
      onLeave={onLeave}
    />
  )
}

/** The account in use: by a token, or by a session at the issuer. */
type Account = {
  readonly key: string
  /** The key of what this browser stores for the person. */
  readonly person: string
  /** What to call them. */
  readonly name: string | undefined
} & ({ readonly token: string; readonly session?: never } | { readonly session: string; readonly token?: never })

type SignedInProps = Account & {
  /** The address contains a token for another account. */
  readonly isOffered: boolean
  readonly onSwitch: () => void
  readonly onStay: () => void
  readonly onRefused: () => void
  readonly onLeave: () => void
}

/** Everything that belongs to one person; a different account recreates all of it. */
function SignedIn(props: SignedInProps) {
  const { token, session, person, name, isOffered, onSwitch, onStay, onRefused, onLeave } = props
  const parlor = useMemo(
    () => new Parlor({ baseUrl: location.origin, token: token ?? sessionToken(session ?? ""), slots }),
    [token, session],
  )
  const own = useMemo(() => ownIn(person, browserStorage(), windowStorage()), [person])
  const desk = useMemo(
    () => new Desk({ parlor, person, keep: browserKeep, shelf: browserShelf(person), now: Date.now }),
    [parlor, person],
  )
  useEffect(() => desk.start(), [desk])
  // Unsent text exists nowhere else, so it is kept until the person signs in again.
  const refuse = useCallback(() => {
    void desk.forget()
    onRefused()
  }, [desk, onRefused])
  const leave = useCallback(async () => {
    // With the credential, so first.
    await leavePush(parlor, own.keep)
    void desk.forget()
    own.forget()
    onLeave()
  }, [parlor, desk, own, onLeave])
  // Signing out in another window signs out here, and nothing stays here either.
  useEffect(
    () =>
      sessions.subscribe(() => {
        const over = sessions.over()
        if (over?.over !== "signed-out" || over.person !== session) return
        void desk.forget()
        own.forget()
      }),
    [desk, own, session],
  )
  return (
    <OwnContext value={own}>
      <DeskContext value={desk}>
        <NameContext value={name}>
          <Room parlor={parlor} onRefused={refuse} onLeave={leave} />
        </NameContext>
        {isOffered && (
          <SwitchDialog unsent={own.part(ownDrafts).written(own.names())} onSwitch={onSwitch} onCancel={onStay} />
        )}
      </DeskContext>
    </OwnContext>
  )
}
