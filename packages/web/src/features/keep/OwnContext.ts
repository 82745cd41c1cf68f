import { createContext, useContext } from "react"
import { type Own, type OwnPart, ownIn } from "./own.ts"

/** Where nobody is signed in, it lives as long as the page. */
export const OwnContext = createContext<Own>(ownIn("", undefined, undefined))

/** What is stored for the person who is signed in. */
export function useOwn(): Own {
  return useContext(OwnContext)
}

/** One part of it. */
export function useOwnPart<T>(create: OwnPart<T>): T {
  return useOwn().part(create)
}
