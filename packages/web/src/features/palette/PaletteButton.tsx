import { Search } from "lucide-react"
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
      className="flex w-full items-center gap-2.5 rounded-lg border border-line bg-raised px-2.5 py-1.5 text-muted text-sm transition-colors hover:border-line-strong pointer-coarse:min-h-10"
    >
      <Search aria-hidden className="size-4 shrink-0" />
      <span className="flex-1 text-left">Find anything</span>
      <span className="pointer-coarse:hidden">
        <Kbd>{keysFor("palette")}</Kbd>
      </span>
    </button>
  )
}
