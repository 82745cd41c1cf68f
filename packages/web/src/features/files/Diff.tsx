import { t } from "../../texts/en/diff.ts"
import { cx } from "../../ui/cx.ts"
import { type DiffLine, diffLines } from "./changeGroups.ts"

const looks: Readonly<Record<DiffLine["kind"], string>> = {
  added: "bg-tint text-accent",
  removed: "bg-bad-tint text-bad",
  place: "text-muted",
  same: "",
}

export function Diff({ diff }: { readonly diff: string | null }) {
  if (diff === null)
    return (
      <p data-label className="mt-1 text-muted text-sm">
        {t("noDiff")}
      </p>
    )
  if (diff === "")
    return (
      <p data-label className="mt-1 text-muted text-sm">
        {t("noLines")}
      </p>
    )
  return (
    <pre className="mt-1.5 overflow-x-auto rounded-lg border border-line bg-raised py-1.5 font-mono text-xs leading-5">
      {diffLines(diff).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity except their index.
        <span key={index} className={cx("block whitespace-pre px-3", looks[line.kind])}>
          {line.text || " "}
        </span>
      ))}
    </pre>
  )
}
