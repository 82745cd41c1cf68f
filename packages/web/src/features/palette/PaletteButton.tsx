import { Search } from "lucide-react"
import { t } from "../../texts/en/palette.ts"
import { Kbd } from "../../ui/Kbd.tsx"
import { ariaKeysFor, keysFor, registry } from "../keyboard/useShortcut.ts"

/** Opens the palette, and shows its shortcut. */
export function PaletteButton({ onChoose }: { readonly onChoose?: () => void }) {
  const open = () => {
    onChoose?.()
    registry.run("palette")
  }
  return (
    <button
      type="button"
      onClick={open}
      aria-keyshortcuts={ariaKeysFor("palette")}
      className="flex w-full items-center gap-2.5 rounded-lg px-2 py-1.5 font-medium text-sm transition-colors hover:bg-line/50 pointer-coarse:min-h-10"
    >
      <span className="inline-flex size-5 shrink-0 items-center justify-center">
        <Search aria-hidden className="size-4.5 text-muted" />
      </span>
      <span className="flex-1 text-left">{t("search")}</span>
      <span aria-hidden className="pointer-coarse:hidden">
        <Kbd>{keysFor("palette")}</Kbd>
      </span>
    </button>
  )
}
