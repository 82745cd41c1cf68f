import { createContext, useContext } from "react"
import type { Tabs } from "../tab/useTabs.ts"

export type SideAccess = {
  /** On narrow screens the sidebar opens as a drawer. */
  readonly openDrawer: () => void
  readonly acts: Pick<Tabs, "mark" | "archive" | "remove">
}

const nothing = () => undefined

export const SideContext = createContext<SideAccess>({
  openDrawer: nothing,
  acts: { mark: nothing, archive: nothing, remove: nothing },
})

export function useSide(): SideAccess {
  return useContext(SideContext)
}
