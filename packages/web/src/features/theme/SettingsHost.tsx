import { lazy, type ReactNode, Suspense } from "react"
import { useOpening } from "../../ui/useOpening.ts"
import { useShortcut } from "../keyboard/useShortcut.ts"
import { useWish } from "../notify/useWish.ts"
import { useTheme } from "./useTheme.ts"

const Settings = lazy(() => import("./Settings.tsx"))

export type SettingsHostProps = {
  readonly onLeave: () => void
  /** What applies to this person on every device, rendered while the settings are open. */
  readonly personal: () => ReactNode
  /** Pages for developers, rendered while the settings are open. */
  readonly developer: (onClose: () => void) => ReactNode
}

/** Opens the settings, and binds what the palette can change without them. Rendered once. */
export function SettingsHost({ onLeave, personal, developer }: SettingsHostProps) {
  const { key, open, close } = useOpening()
  const [, choose] = useTheme()
  const wish = useWish()
  const canNotify = wish.allowed !== "missing" && wish.allowed !== "denied"
  useShortcut("settings", open)
  useShortcut("lightTheme", () => choose("light"))
  useShortcut("darkTheme", () => choose("dark"))
  useShortcut("systemTheme", () => choose("system"))
  useShortcut("notifications", () => void wish.choose(wish.wish === "on" ? "off" : "on"), canNotify)
  useShortcut("leave", onLeave)
  if (key === undefined) return null
  return (
    <Suspense>
      <Settings key={key} onClose={close} onLeave={onLeave} personal={personal()} developer={developer(close)} />
    </Suspense>
  )
}
