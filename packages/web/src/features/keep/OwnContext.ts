import { createContext, useContext } from "react"
import { type Own, type OwnPart, ownIn } from "./own.ts"

/** Without a signed-in person it lives only in memory. */
export const OwnContext = createContext<Own>(ownIn("", undefined, undefined))

/** The storage of the signed-in person. */
export function useOwn(): Own {
  return useContext(OwnContext)
}

/** One part of it. */
export function useOwnPart<T>(create: OwnPart<T>): T {
  return useOwn().part(create)
}
