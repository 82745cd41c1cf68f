import { Parlor } from "@parlor/client"
import { useCallback, useEffect, useMemo, useState } from "react"
import { browserKeep, browserStorage, windowStorage } from "./features/keep/keep.ts"
import { OwnContext } from "./features/keep/OwnContext.ts"
import { ownIn } from "./features/keep/own.ts"
import { DeskContext } from "./features/tab/DeskContext.ts"
import { Desk } from "./features/tab/desk.ts"
import { browserShelf } from "./features/tab/shelf.ts"
import { personKey } from "./features/tab/snapshot.ts"
import { keepToken } from "./features/token/intake.ts"
import { TokenPage } from "./features/token/TokenPage.tsx"
import { Room } from "./Room.tsx"

type Access = { readonly token: string | undefined; readonly refused: boolean }

export function App({ token }: { readonly token: string | undefined }) {
  const [access, setAccess] = useState<Access>({ token, refused: false })
  const open = (given: string) => {
    keepToken(given, browserKeep)
    setAccess({ token: given, refused: false })
  }
  const onRefused = useCallback(() => {
    keepToken(undefined, browserKeep)
    setAccess({ token: undefined, refused: true })
  }, [])
  const onLeave = useCallback(() => {
    keepToken(undefined, browserKeep)
    setAccess({ token: undefined, refused: false })
  }, [])
  if (access.token === undefined) return <TokenPage refused={access.refused} onToken={open} />
  return <SignedIn key={access.token} token={access.token} onRefused={onRefused} onLeave={onLeave} />
}

type SignedInProps = { readonly token: string; readonly onRefused: () => void; readonly onLeave: () => void }

/** Everything of one person; with another token it is all made anew. */
function SignedIn({ token, onRefused, onLeave }: SignedInProps) {
  const parlor = useMemo(() => new Parlor({ baseUrl: location.origin, token }), [token])
  const person = personKey(token)
  const own = useMemo(() => ownIn(person, browserStorage(), windowStorage()), [person])
  const desk = useMemo(
    () => new Desk({ parlor, person, keep: browserKeep, shelf: browserShelf(person), now: Date.now }),
    [parlor, person],
  )
  useEffect(() => desk.start(), [desk])
  // What was written and not sent is nowhere else: it waits for the token to be taken again.
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
      </DeskContext>
    </OwnContext>
  )
}
