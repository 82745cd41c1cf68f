import { PanelLeft } from "lucide-react"
import { t } from "../../texts/en/sidebar.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { useSide } from "./SideContext.ts"

/** Opens the sidebar, on narrow screens. */
export function SideButton() {
  const { openDrawer } = useSide()
  return (
    <IconButton label={t("openSidebar")} aria-haspopup="dialog" className="md:hidden" onClick={openDrawer}>
      <PanelLeft aria-hidden className="size-5" />
    </IconButton>
  )
}
