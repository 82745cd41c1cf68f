/** The shape of a conversation while it loads. */
import { t } from "../../texts/en/timeline.ts"
export function Skeleton() {
  return (
    <div role="status" aria-label={t("loadingTheConversation")} className="animate-breathe space-y-4">
      <div className="ml-auto h-10 w-2/5 rounded-2xl bg-line/60" />
      <div className="h-4 w-24 rounded bg-line/60" />
      <div className="h-4 w-11/12 rounded bg-line/60" />
      <div className="h-4 w-4/5 rounded bg-line/60" />
      <div className="h-4 w-3/5 rounded bg-line/60" />
    </div>
  )
}
