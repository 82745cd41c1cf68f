import { lazy, Suspense, useState } from "react"
import { useShortcut } from "../keyboard/useShortcut.ts"

const Settings = lazy(() => import("./Settings.tsx"))

/** Opens the settings. Rendered once. */
export function SettingsHost({ onLeave }: { readonly onLeave: () => void }) {
  const [isOpen, setIsOpen] = useState(false)
  useShortcut("settings", () => setIsOpen(true))
  if (!isOpen) return null
  return (
    <Suspense>
      <Settings onClose={() => setIsOpen(false)} onLeave={onLeave} />
    </Suspense>
  )
}
