import type { Parlor } from "@parlor/client"
import type { SearchHitView } from "@parlor/protocol"
import { useEffect, useState } from "react"

const PAUSE_MS = 200
const HITS = 20

export type Found = { readonly hits: readonly SearchHitView[] | undefined; readonly problem: unknown }

/** Looks when typing pauses. What was found for other words is never shown for these. */
export function useSearch(parlor: Parlor, query: string): Found {
  const [found, setFound] = useState<Found & { readonly query: string }>()
  const wanted = query.trim()
  useEffect(() => {
    if (wanted === "") return
    let isWanted = true
    const show = (one: Found) => isWanted && setFound({ ...one, query: wanted })
    const timer = setTimeout(() => {
      parlor.search(wanted, { limit: HITS }).then(
        (hits) => show({ hits, problem: undefined }),
        (problem: unknown) => show({ hits: undefined, problem }),
      )
    }, PAUSE_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [parlor, wanted])
  return found?.query === wanted ? found : { hits: undefined, problem: undefined }
}
