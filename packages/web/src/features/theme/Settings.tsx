import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Segments } from "../../ui/Segments.tsx"
import { Switch } from "../../ui/Switch.tsx"
import { keysFor, registry } from "../keyboard/useShortcut.ts"
import { useWish, wishHint } from "../notify/useWish.ts"
import { type Theme, themes } from "./theme.ts"
import { useTheme } from "./useTheme.ts"

const names: Readonly<Record<Theme, string>> = { system: "System", light: "Light", dark: "Dark" }

export type SettingsProps = { readonly onClose: () => void; readonly onLeave: () => void }

/** The settings of this browser. */
export default function Settings({ onClose, onLeave }: SettingsProps) {
  return (
    <Dialog title="Settings" isOpen onClose={onClose} className="w-[min(28rem,94vw)]">
      <SettingsList
        onKeys={() => {
          onClose()
          registry.run("keyboard")
        }}
        onLeave={onLeave}
      />
    </Dialog>
  )
}

export function SettingsList({ onKeys, onLeave }: { readonly onKeys: () => void; readonly onLeave: () => void }) {
  const [theme, choose] = useTheme()
  const wish = useWish()
  return (
    <div className="space-y-5 text-sm">
      <div className="flex flex-wrap items-center gap-3">
        <p className="mr-auto font-medium">Theme</p>
        <Segments
          label="Theme"
          value={theme}
          options={themes.map((value) => ({ value, label: names[value] }))}
          onChange={choose}
        />
      </div>
      <Switch
        label="Desktop notifications"
        hint={wishHint(wish.allowed)}
        isOn={wish.wish === "on" && wish.allowed === "granted"}
        disabled={wish.allowed === "missing" || wish.allowed === "denied"}
        onChange={(isOn) => void wish.choose(isOn ? "on" : "off")}
      />
      <div className="flex flex-wrap items-center gap-3">
        <p className="mr-auto font-medium">Keyboard</p>
        <Button onClick={onKeys}>
          Keyboard shortcuts <span className="text-muted text-xs">{keysFor("keyboard")}</span>
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-3 border-line border-t pt-4">
        <p className="mr-auto text-muted">
          Removes your token and unsent messages from this browser. Nothing on the server changes.
        </p>
        <Button onClick={onLeave}>Sign out of this browser</Button>
      </div>
    </div>
  )
}
