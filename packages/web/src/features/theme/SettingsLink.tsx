import { Settings2 } from "lucide-react"
import { t } from "../../texts/en/theme.ts"
import { ariaKeysFor, keysFor, registry } from "../keyboard/useShortcut.ts"

/** The settings button in the sidebar. */
export function SettingsLink({ onChoose }: { readonly onChoose?: () => void }) {
  const open = () => {
    onChoose?.()
    registry.run("settings")
  }
  return (
    <button
      type="button"
      onClick={open}
      aria-keyshortcuts={ariaKeysFor("settings")}
      data-tip-keys={keysFor("settings")}
      className="flex w-full items-center gap-2.5 rounded-lg px-2 py-1.5 font-medium text-sm transition-colors hover:bg-line/50 pointer-coarse:py-2.5"
    >
      <span className="inline-flex size-5 shrink-0 items-center justify-center">
        <Settings2 aria-hidden className="size-4.5 text-muted" />
      </span>
      {t("settings")}
    </button>
  )
}
