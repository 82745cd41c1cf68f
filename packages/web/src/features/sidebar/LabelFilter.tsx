import { t } from "../../texts/en/sidebar.ts"
import { cx } from "../../ui/cx.ts"

export type LabelFilterProps = {
  readonly labels: readonly string[]
  readonly chosen: string | undefined
  readonly onChoose: (label: string | undefined) => void
}

/** Shows only the conversations with a label. */
export function LabelFilter({ labels, chosen, onChoose }: LabelFilterProps) {
  return (
    <fieldset aria-label={t("filterByLabel")} className="flex flex-wrap gap-1 px-1 pt-3">
      {labels.map((label) => (
        <button
          key={label}
          type="button"
          aria-pressed={label === chosen}
          onClick={() => onChoose(label === chosen ? undefined : label)}
          className={cx(
            "max-w-full truncate rounded-full border px-2.5 py-0.5 text-xs transition-colors pointer-coarse:min-h-10",
            label === chosen ? "border-accent bg-tint text-accent" : "border-line text-muted hover:text-ink",
          )}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
