import { t as common } from "../../texts/en/common.ts"
import { Button } from "../../ui/Button.tsx"
import { Alert } from "../status/Alert.tsx"
import type { Note } from "../status/problemWords.ts"

export type RefusedProps = { readonly note: Note | undefined; readonly onRetry: () => void }

/** A list's error, with a retry button. */
export function Refused({ note, onRetry }: RefusedProps) {
  if (note === undefined) return null
  return (
    <div className="mt-3 flex items-start gap-2">
      <Alert note={note} className="flex-1" />
      <Button onClick={onRetry}>{common("tryAgain")}</Button>
    </div>
  )
}
