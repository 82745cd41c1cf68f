import { type SyntheticEvent, useContext, useState } from "react"
import { ReadingContext } from "../conversation/reading.ts"

export type FoldState = {
  readonly isOpen: boolean
  readonly onToggle: (event: SyntheticEvent<HTMLDetailsElement>) => void
}

/** Whether a fold is open. A message that comes back into view is as it was left. */
export function useFold(id: string): FoldState {
  const open = useContext(ReadingContext)?.open
  const [isOpen, setOpen] = useState(() => open?.has(id) ?? false)
  return {
    isOpen,
    onToggle: ({ currentTarget }) => {
      setOpen(currentTarget.open)
      if (currentTarget.open) open?.add(id)
      else open?.delete(id)
    },
  }
}
