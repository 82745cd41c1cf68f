import type { Parlor } from "@parlor/client"
import type { AgentView } from "@parlor/protocol"
import { useEffect, useState } from "react"
import { onReturn } from "../../ui/onReturn.ts"
import { onModelsChanged } from "../model/modelsChanged.ts"
import { refusesToken } from "../status/problemWords.ts"

const firstRetryMs = 1_000
const longestRetryMs = 30_000

/** The available agents. Retries while the server is unreachable; a rejected token is reported. */
export function useAgents(parlor: Parlor, onRefused: () => void): readonly AgentView[] {
  const [agents, setAgents] = useState<readonly AgentView[]>([])
  useEffect(() => {
    let left = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (retryMs: number) => {
      try {
        const known = await parlor.agents()
        if (left) return
        setAgents((before) => (JSON.stringify(before) === JSON.stringify(known) ? before : known))
      } catch (error) {
        if (left) return
        if (refusesToken(error)) return onRefused()
        clearTimeout(timer)
        timer = setTimeout(() => void ask(Math.min(retryMs * 2, longestRetryMs)), retryMs)
      }
    }
    void ask(firstRetryMs)
    // The config may have changed in the meantime.
    const ends = [onReturn, onModelsChanged].map((on) => on(() => void ask(firstRetryMs)))
    return () => {
      left = true
      for (const end of ends) end()
      clearTimeout(timer)
    }
  }, [parlor, onRefused])
  return agents
}
