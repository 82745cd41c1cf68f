import type { Parlor } from "@parlor/client"
import { t } from "../../texts/en/push.ts"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { Switch } from "../../ui/Switch.tsx"
import { type PushState, usePush } from "./usePush.ts"

const hints = {
  unsupported: "unsupported",
  blocked: "blocked",
  off: "offHint",
  on: "onHint",
} as const satisfies Record<PushState, string>

export type PushSwitchProps = {
  readonly parlor: Parlor
  /** They were turned on: then hidden windows should notify too, because the server counts them as watching (APP-8). */
  readonly onOn: () => void
}

/** Notifications on this device while Parlor is closed. */
export function PushSwitch({ parlor, onOn }: PushSwitchProps) {
  const { state, isBusy, showsText, message, set, test } = usePush(parlor, onOn)
  const isOn = state === "on"
  return (
    <div className="space-y-4">
      <Switch
        label={t("whenClosed")}
        hint={t(hints[state])}
        isOn={isOn}
        disabled={isBusy || state === "unsupported" || state === "blocked"}
        onChange={(next) => set(next)}
      />
      {isOn && (
        <>
          <Switch
            label={t("showText")}
            hint={t("showTextHint")}
            isOn={showsText}
            disabled={isBusy}
            onChange={(next) => set(true, { showsText: next })}
          />
          <Button disabled={isBusy} onClick={test}>
            {t("sendTest")}
          </Button>
        </>
      )}
      <p role="status" className={cx("text-sm", message?.isBad === true ? "text-bad" : "text-muted")}>
        {message?.text}
      </p>
    </div>
  )
}
