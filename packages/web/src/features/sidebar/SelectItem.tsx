import { type Tab, titleOf } from "../tab/tabList.ts"

export type SelectItemProps = { readonly tab: Tab; readonly isChecked: boolean; readonly onToggle: () => void }

/** A conversation while several are being selected. */
export function SelectItem({ tab, isChecked, onToggle }: SelectItemProps) {
  return (
    <li>
      <label className="flex h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2 text-sm hover:bg-line/50 pointer-coarse:h-11">
        <input type="checkbox" checked={isChecked} onChange={onToggle} className="size-4 shrink-0 accent-accent" />
        <span className="min-w-0 flex-1 truncate">{titleOf(tab)}</span>
      </label>
    </li>
  )
}
