import type { ReactNode } from "react"
import { t } from "../../texts/en/theme.ts"
import { rich } from "../../texts/rich.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Segments } from "../../ui/Segments.tsx"
import { Summary } from "../../ui/Summary.tsx"
import { Switch } from "../../ui/Switch.tsx"
import { keysFor, registry } from "../keyboard/useShortcut.ts"
import { LanguageChoice } from "../language/LanguageChoice.tsx"
import { useWish, wishHint } from "../notify/useWish.ts"
import { textSizes, useTextSize } from "./textSize.ts"
import { themes } from "./theme.ts"
import { useTheme } from "./useTheme.ts"

const names = { system: "system", light: "light", dark: "dark" } as const

const sizeNames = { small: "small", normal: "normal", large: "large", larger: "larger" } as const

export type SettingsProps = {
  readonly onClose: () => void
  readonly onLeave: () => void
  /** What applies to this person on every device. */
  readonly personal?: ReactNode
  /** Pages for developers. */
  readonly developer?: ReactNode
}

/** The settings of this browser. */
export default function Settings({ onClose, onLeave, personal, developer }: SettingsProps) {
  return (
    <Dialog title={t("settings")} isOpen onClose={onClose} className="w-[min(34rem,94vw)]">
      <SettingsList
        onKeys={() => {
          onClose()
          registry.run("keyboard")
        }}
        onLeave={onLeave}
        personal={personal}
        developer={developer}
      />
    </Dialog>
  )
}

export type SettingsListProps = Omit<SettingsProps, "onClose"> & { readonly onKeys: () => void }

export function SettingsList({ onKeys, onLeave, personal, developer }: SettingsListProps) {
  const [theme, choose] = useTheme()
  const [textSize, chooseTextSize] = useTextSize()
  const wish = useWish()
  return (
    <div className="space-y-5 text-sm">
      <div className="flex flex-wrap items-center gap-3">
        <p className="mr-auto font-medium">{t("theme")}</p>
        <Segments
          label={t("theme")}
          value={theme}
          options={themes.map((value) => ({ value, label: t(names[value]) }))}
          onChange={choose}
        />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <p className="mr-auto font-medium">{t("textSize")}</p>
        <Segments
          label={t("textSize")}
          value={textSize}
          options={textSizes.map((value) => ({ value, label: t(sizeNames[value]) }))}
          onChange={chooseTextSize}
        />
      </div>
      <LanguageChoice />
      <Switch
        label={t("desktopNotifications")}
        hint={wishHint(wish.allowed)}
        isOn={wish.wish === "on" && wish.allowed === "granted"}
        disabled={wish.allowed === "missing" || wish.allowed === "denied"}
        onChange={(isOn) => void wish.choose(isOn ? "on" : "off")}
      />
      <div className="flex flex-wrap items-center gap-3">
        <p className="mr-auto font-medium">{t("keyboard")}</p>
        <Button onClick={onKeys}>
          {rich(
            t.pieces("keyboardShortcuts", {
              keys: <span className="text-muted text-xs">{keysFor("keyboard")}</span>,
            }),
          )}
        </Button>
      </div>
      {personal !== undefined && <div className="border-line border-t pt-4">{personal}</div>}
      {developer !== undefined && (
        <details className="group border-line border-t pt-4">
          <Summary className="font-medium text-ink">{t("developer")}</Summary>
          <div className="mt-3 space-y-4">{developer}</div>
        </details>
      )}
      <div className="flex flex-wrap items-center gap-3 border-line border-t pt-4">
        <p className="mr-auto text-muted">{t("removesYourTokenAndUnsent")}</p>
        <Button onClick={onLeave}>{t("signOutOfThisBrowser")}</Button>
      </div>
    </div>
  )
}
