import type { Parlor } from "@parlor/client"
import type { AgentView } from "@parlor/protocol"
import { useEffect, useState } from "react"
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
        if (!left) setAgents(known)
      } catch (error) {
        if (left) return
        if (refusesToken(error)) return onRefused()
        timer = setTimeout(() => void ask(Math.min(retryMs * 2, longestRetryMs)), retryMs)
      }
    }
    void ask(firstRetryMs)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [parlor, onRefused])
  return agents
}
