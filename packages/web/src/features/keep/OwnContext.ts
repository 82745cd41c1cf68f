import { createContext, useContext } from "react"
import { type Own, ownIn } from "./own.ts"

/** Where nobody is signed in, it lives as long as the page. */
export const OwnContext = createContext<Own>(ownIn("", undefined, undefined))

/** What is kept for the person who is signed in. */
export function useOwn(): Own {
  return useContext(OwnContext)
}
