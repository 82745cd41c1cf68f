import { createContext, type ReactNode, useContext } from "react"

export type Frame = {
  /** The button that opens the sidebar, on narrow screens. */
  readonly leading: ReactNode
  /** The title of the conversation that a page belongs to. */
  readonly title: string | undefined
}

export const FrameContext = createContext<Frame>({ leading: null, title: undefined })

export function useFrame(): Frame {
  return useContext(FrameContext)
}
