import { t } from "../../texts/en/files.ts"
import { Button } from "../../ui/Button.tsx"
import { contentOf } from "./content.ts"
import type { Theirs } from "./saving.ts"

export type OvertakenProps = {
  readonly theirs: Theirs
  readonly mine: string
  readonly onMine: () => void
  readonly onTheirs: () => void
}

/** An edit conflict: shows both versions and lets the person choose. */
export function Overtaken({ theirs, mine, onMine, onTheirs }: OvertakenProps) {
  const content = theirs.read && contentOf(theirs.read)
  const there = content?.kind === "text" ? content.text : t("noLongerText")
  return (
    <section aria-label={t("conflict")} className="shrink-0 rounded-xl bg-warn-tint p-3 text-sm">
      <p role="alert" className="font-medium text-warn">
        {t(theirs.read === null ? "deletedMeanwhile" : "changedMeanwhile")}
      </p>
      <div className="mt-2 grid gap-3 md:grid-cols-2">
        <Side title={t("currentVersion")} text={theirs.read === null ? "" : there} />
        <Side title={t("yourVersion")} text={mine} />
      </div>
      <p className="mt-3 flex flex-wrap gap-2">
        <Button onClick={onTheirs}>{t(theirs.read === null ? "keepDeleted" : "keepCurrent")}</Button>
        <Button look="main" onClick={onMine}>
          {t("saveMine")}
        </Button>
      </p>
    </section>
  )
}

function Side({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="min-w-0">
      <h3 className="text-muted text-xs">{title}</h3>
      <pre className="mt-1 max-h-48 overflow-auto whitespace-pre-wrap break-words rounded-lg border border-line bg-raised p-2 font-mono text-xs leading-5">
        {text || " "}
      </pre>
    </div>
  )
}
