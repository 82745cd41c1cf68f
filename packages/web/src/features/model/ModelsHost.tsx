import type { Parlor } from "@parlor/client"
import { lazy, Suspense } from "react"
import { useOpening } from "../../ui/useOpening.ts"
import { useShortcut } from "../keyboard/useShortcut.ts"

const ModelsDialog = lazy(() => import("./ModelsDialog.tsx"))

/** Opens the dialog of models and keys from anywhere. Rendered once. */
export function ModelsHost({ parlor }: { readonly parlor: Parlor }) {
  const { key, open, close } = useOpening()
  useShortcut("models", open)
  if (key === undefined) return null
  return (
    <Suspense>
      <ModelsDialog key={key} parlor={parlor} onClose={close} />
    </Suspense>
  )
}
