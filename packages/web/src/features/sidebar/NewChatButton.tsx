import { SquarePen } from "lucide-react"
import { t } from "../../texts/en/sidebar.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { registry } from "../keyboard/useShortcut.ts"

/** Starts a conversation with the default agent, on narrow screens, where the sidebar is closed (TAB-40). */
export function NewChatButton() {
  return (
    <IconButton label={t("newChat")} className="md:hidden" onClick={() => registry.run("newChat")}>
      <SquarePen aria-hidden className="size-5" />
    </IconButton>
  )
}
