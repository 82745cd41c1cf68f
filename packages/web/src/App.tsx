import { Parlor } from "@parlor/client"
import { useCallback, useEffect, useMemo, useState } from "react"
import { ownDrafts } from "./features/draft/draft.ts"
import { browserKeep, browserStorage, windowStorage } from "./features/keep/keep.ts"
import { OwnContext } from "./features/keep/OwnContext.ts"
import { ownIn } from "./features/keep/own.ts"
import { personKey } from "./features/keep/personKey.ts"
import { DeskContext } from "./features/tab/DeskContext.ts"
import { Desk } from "./features/tab/desk.ts"
import { browserShelf } from "./features/tab/shelf.ts"
import { type Access, keepToken } from "./features/token/intake.ts"
import { SwitchDialog } from "./features/token/SwitchDialog.tsx"
import { TokenPage } from "./features/token/TokenPage.tsx"
import { useOffered } from "./features/token/useOffered.ts"
import { Room } from "./Room.tsx"

export function App({ first }: { readonly first: Access }) {
  const [{ token, offered }, setAccess] = useState(first)
  const [isRefused, setRefused] = useState(false)
  const open = useCallback((given: string | undefined) => {
    keepToken(given, browserKeep)
    setAccess({ token: given, offered: undefined })
    setRefused(false)
  }, [])
  const onRefused = useCallback(() => {
    // The server no longer accepts the stored token, so there is no account to switch from.
    open(offered)
    setRefused(offered === undefined)
  }, [open, offered])
  const onLeave = useCallback(() => open(undefined), [open])
  useOffered(
    useCallback(
      (given) => (token === undefined ? open(given) : given !== token && setAccess({ token, offered: given })),
      [token, open],
    ),
  )
  if (token === undefined) return <TokenPage refused={isRefused} onToken={open} />
  return (
    <SignedIn
      key={token}
      token={token}
      isOffered={offered !== undefined}
      onSwitch={() => open(offered)}
      onStay={() => setAccess({ token, offered: undefined })}
      onRefused={onRefused}
      onLeave={onLeave}
    />
  )
}

type SignedInProps = {
  readonly token: string
  /** The address contains a token for another account. */
  readonly isOffered: boolean
  readonly onSwitch: () => void
  readonly onStay: () => void
  readonly onRefused: () => void
  readonly onLeave: () => void
}

/** Everything that belongs to one person; a different token recreates all of it. */
function SignedIn({ token, isOffered, onSwitch, onStay, onRefused, onLeave }: SignedInProps) {
  const parlor = useMemo(() => new Parlor({ baseUrl: location.origin, token }), [token])
  const person = personKey(token)
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
  const leave = useCallback(() => {
    void desk.forget()
    own.forget()
    onLeave()
  }, [desk, own, onLeave])
  return (
    <OwnContext value={own}>
      <DeskContext value={desk}>
        <Room parlor={parlor} onRefused={refuse} onLeave={leave} />
        {isOffered && (
          <SwitchDialog unsent={own.part(ownDrafts).written(own.names())} onSwitch={onSwitch} onCancel={onStay} />
        )}
      </DeskContext>
    </OwnContext>
  )
}
