import { useState } from "react"
import { useOwnPart } from "../keep/OwnContext.ts"
import type { BusyMode } from "./busyMode.ts"
import { ownBusyModes } from "./busyMode.ts"

export function useBusyMode(conversation: string): readonly [BusyMode, (mode: BusyMode) => void] {
  const busyModes = useOwnPart(ownBusyModes)
  const [mode, setMode] = useState(() => busyModes.read(conversation))
  const choose = (next: BusyMode) => {
    busyModes.write(conversation, next)
    setMode(next)
  }
  return [mode, choose]
}
