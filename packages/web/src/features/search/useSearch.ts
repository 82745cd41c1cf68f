import type { Parlor } from "@parlor/client"
import type { SearchHitView } from "@parlor/protocol"
import { useEffect, useState } from "react"
import { HITS } from "./hits.ts"

const PAUSE_MS = 200

export type Found = { readonly hits: readonly SearchHitView[] | undefined; readonly problem: unknown }
export type Wanted = { readonly query: string; readonly agent: string | undefined }

/** Searches when typing pauses. Never shows results of another query. */
export function useSearch(parlor: Parlor, wanted: Wanted, round = 0): Found {
  const query = wanted.query.trim()
  const { agent } = wanted
  const key = JSON.stringify([query, agent, round])
  const [found, setFound] = useState<Found & { readonly key: string }>()
  useEffect(() => {
    if (query === "") return
    let isWanted = true
    const show = (one: Found) => isWanted && setFound({ ...one, key })
    const timer = setTimeout(() => {
      parlor.search(query, { limit: HITS, ...(agent === undefined ? {} : { agent }) }).then(
        (hits) => show({ hits, problem: undefined }),
        (problem: unknown) => show({ hits: undefined, problem }),
      )
    }, PAUSE_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [parlor, query, agent, key])
  return query !== "" && found?.key === key ? found : { hits: undefined, problem: undefined }
}
