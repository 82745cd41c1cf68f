import { createContext, useContext } from "react"

/** On narrow screens the sidebar opens as a drawer. */
export const SideContext = createContext<{ readonly openDrawer: () => void }>({ openDrawer: () => undefined })

export function useSide() {
  return useContext(SideContext)
}
