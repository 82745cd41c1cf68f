import { t } from "../../texts/en/files.ts"
import { Button } from "../../ui/Button.tsx"
import { Progress } from "../../ui/Progress.tsx"
import type { Going } from "./uploads.ts"

/** Upload progress, shown over the page; fades in late, so that small files don't flash. */
export function Uploading({ going, onStop }: { readonly going: Going; readonly onStop: () => void }) {
  const { name, place, count, percent } = going
  return (
    <section
      aria-label={t("uploading")}
      className="absolute inset-x-4 bottom-4 z-10 mx-auto flex max-w-md animate-soon items-center gap-3 rounded-xl border border-line bg-raised px-4 py-3 text-sm shadow-float"
    >
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-2">
          <span className="min-w-0 truncate">{name}</span>
          <span aria-hidden className="ml-auto shrink-0 text-muted tabular-nums">
            {count > 1 ? t("progressOf", { place, count, percent }) : t("progress", { percent })}
          </span>
        </p>
        <Progress label={t("uploadingName", { name })} percent={percent} className="mt-2" />
      </div>
      <Button onClick={onStop}>{t("stop")}</Button>
    </section>
  )
}
