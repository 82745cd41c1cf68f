import { useFeedRow } from "./DeskContext.ts"
import { openingWords } from "./tabWords.ts"

export type OpeningLineProps = {
  readonly agent: string
  readonly branch: string
  /** Set while a snapshot from that time is shown. */
  readonly asOf: number | undefined
  readonly isLoading: boolean
}

/** Shown while a conversation opens: the age of the snapshot, and what is queued (TAB-2, TAB-4). */
export function OpeningLine({ agent, branch, asOf, isLoading }: OpeningLineProps) {
  const row = useFeedRow(agent, branch)
  const words = asOf !== undefined || isLoading ? openingWords(asOf, row) : undefined
  if (words === undefined) return null
  return (
    <p role="status" data-stale={asOf !== undefined} className="animate-arrive bg-sunken px-5 py-1 text-muted text-xs">
      {words}
    </p>
  )
}
