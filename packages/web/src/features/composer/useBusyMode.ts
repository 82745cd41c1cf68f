import { useState } from "react"
import { type BusyMode, busyModes } from "./busyMode.ts"

export function useBusyMode(conversation: string): readonly [BusyMode, (mode: BusyMode) => void] {
  const [mode, setMode] = useState(() => busyModes.read(conversation))
  const choose = (next: BusyMode) => {
    busyModes.write(conversation, next)
    setMode(next)
  }
  return [mode, choose]
}
