import { useContext } from "react"
import { t } from "../../texts/en/rollback.ts"
import { Button } from "../../ui/Button.tsx"
import { ActsContext } from "./acts.ts"
import type { OldVersion } from "./lineUp.ts"

export type OldVersionLineProps = { readonly old: OldVersion; readonly onClose: (root: string) => void }

/**
 * Below an earlier version: it is only read until it is taken up again (MSG-3). The line stays until the server has done
 * so: what is sent before that still belongs to the current version.
 */
export function OldVersionLine({ old, onClose }: OldVersionLineProps) {
  const acts = useContext(ActsContext)
  const { root, cancel, last } = old
  return (
    <section
      aria-label={t("earlierVersion")}
      className="mt-5 flex flex-wrap items-center gap-2 rounded-xl bg-sunken px-4 py-2.5 text-sm"
    >
      <p className="mr-auto min-w-0">{t("youAreReadingAnEarlier")}</p>
      {acts !== undefined && cancel !== undefined && (
        <Button onClick={() => acts.cancel(cancel)}>{t("useThisVersion")}</Button>
      )}
      {acts !== undefined && cancel === undefined && (
        <Button onClick={() => acts.branch(last, false)}>{t("continueInABranch")}</Button>
      )}
      <Button onClick={() => onClose(root)}>{t("backToCurrentVersion")}</Button>
    </section>
  )
}
