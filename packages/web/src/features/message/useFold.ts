import { type SyntheticEvent, useContext, useState, useSyncExternalStore } from "react"
import { makeFolds } from "./folds.ts"
import { ReadingContext } from "./reading.ts"

export type FoldState = {
  readonly isOpen: boolean
  readonly onToggle: (event: SyntheticEvent<HTMLDetailsElement>) => void
  readonly set: (isOpen: boolean) => void
}

/** Whether a fold is open. Kept when the message leaves the view and returns. */
export function useFold(id: string): FoldState {
  const [own] = useState(makeFolds)
  const folds = useContext(ReadingContext)?.folds ?? own
  const read = () => folds.isOpen(id)
  return {
    isOpen: useSyncExternalStore(folds.subscribe, read, read),
    onToggle: ({ currentTarget: { open } }) => {
      // The toggle event also fires for changes made by code; those are not manual.
      if (open !== folds.isOpen(id)) folds.set(id, open)
    },
    set: (isOpen) => folds.set(id, isOpen),
  }
}
