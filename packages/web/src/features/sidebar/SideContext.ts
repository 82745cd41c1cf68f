import { createContext, useContext } from "react"

/** Where there is no room for the side, it opens over the page. */
export const SideContext = createContext<{ readonly openDrawer: () => void }>({ openDrawer: () => undefined })

export function useSide() {
  return useContext(SideContext)
}
