import type { Parlor } from "@parlor/client"
import { t } from "../../texts/en/account.ts"
import { Switch } from "../../ui/Switch.tsx"
import { useWish, wishHint } from "../notify/useWish.ts"
import { PushSwitch } from "../push/PushSwitch.tsx"
import { Section } from "./Section.tsx"

export function NotificationsSection({ parlor }: { readonly parlor: Parlor }) {
  const wish = useWish()
  return (
    <Section name="notifications" title={t("notifications")}>
      <div className="space-y-4 text-sm">
        <Switch
          label={t("desktopNotifications")}
          hint={wishHint(wish.allowed)}
          isOn={wish.wish === "on" && wish.allowed === "granted"}
          disabled={wish.allowed === "missing" || wish.allowed === "denied"}
          onChange={(isOn) => void wish.choose(isOn ? "on" : "off")}
        />
        <PushSwitch parlor={parlor} onOn={() => void wish.choose("on")} />
      </div>
    </Section>
  )
}
