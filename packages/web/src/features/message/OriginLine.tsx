import type { MessageRow } from "@parlor/protocol"
import { originWords } from "./messageView.ts"
import { SourceSign } from "./SourceSign.tsx"

/** The source of a message that nobody typed (TRG-1). */
export function OriginLine({ trigger }: Pick<MessageRow, "trigger">) {
  const words = originWords(trigger)
  if (trigger === null || words === undefined) return null
  return (
    <p className="mb-1 flex max-w-full items-center gap-1.5 text-muted text-xs">
      <SourceSign source={trigger.source} from={words} />
      <span className="min-w-0 truncate" aria-hidden>
        {words}
      </span>
    </p>
  )
}
