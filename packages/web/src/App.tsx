import { Parlor } from "@parlor/client"
import { useCallback, useMemo, useState } from "react"
import { browserKeep } from "./features/keep/keep.ts"
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
  const parlor = useMemo(
    () => (access.token === undefined ? undefined : new Parlor({ baseUrl: location.origin, token: access.token })),
    [access.token],
  )
  if (parlor === undefined) return <TokenPage refused={access.refused} onToken={open} />
  return <Room parlor={parlor} onRefused={onRefused} />
}
