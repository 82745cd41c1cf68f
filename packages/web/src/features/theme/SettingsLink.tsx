import { Settings2 } from "lucide-react"
import { IconButton } from "../../ui/IconButton.tsx"
import { keysFor, registry } from "../keyboard/useShortcut.ts"

/** The settings button in the sidebar. */
export function SettingsLink({ onChoose }: { readonly onChoose?: () => void }) {
  const open = () => {
    onChoose?.()
    registry.run("settings")
  }
  return (
    <IconButton label="Settings" keys={keysFor("settings")} onClick={open}>
      <Settings2 aria-hidden className="size-4" />
    </IconButton>
  )
}
