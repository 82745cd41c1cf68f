import type { Parlor } from "@parlor/client"
import type { MemoryLine } from "@parlor/protocol"
import { useCallback } from "react"
import { type ListState, useList } from "../list/useList.ts"

const typingMs = 150

/** The memories that match the search. */
export function useMemories(parlor: Parlor, query: string, onRefused: () => void): ListState<MemoryLine> {
  const read = useCallback(() => parlor.memory.list(query.trim() === "" ? {} : { q: query }), [parlor, query])
  return useList(read, { onRefused, pauseMs: query === "" ? 0 : typingMs })
}
