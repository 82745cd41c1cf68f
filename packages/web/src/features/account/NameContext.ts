import { createContext, useContext } from "react"

/** What to call the signed-in person, if the issuer said so. */
export const NameContext = createContext<string | undefined>(undefined)

export function useName(): string | undefined {
  return useContext(NameContext)
}
