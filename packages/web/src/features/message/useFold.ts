import { type SyntheticEvent, useContext, useState, useSyncExternalStore } from "react"
import { makeFolds } from "./folds.ts"
import { ReadingContext } from "./reading.ts"

export type FoldState = {
  readonly isOpen: boolean
  readonly onToggle: (event: SyntheticEvent<HTMLDetailsElement>) => void
}

/** Whether a fold is open. A message that comes back into view is as it was left. */
export function useFold(id: string): FoldState {
  const [own] = useState(makeFolds)
  const folds = useContext(ReadingContext)?.folds ?? own
  const read = () => folds.isOpen(id)
  return {
    isOpen: useSyncExternalStore(folds.subscribe, read, read),
    onToggle: ({ currentTarget: { open } }) => {
      // The browser tells of every change: one that was made here is nobody's hand.
      if (open !== folds.isOpen(id)) folds.set(id, open)
    },
  }
}
