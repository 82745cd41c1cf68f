import { Bell, ChartNoAxesColumn, CircleUser, Database, KeyRound, LogOut } from "lucide-react"
import { t } from "../../texts/en/account.ts"
import { cx } from "../../ui/cx.ts"
import { Menu } from "../../ui/Menu.tsx"
import { registry } from "../keyboard/useShortcut.ts"
import { pageAddress } from "../place/place.ts"
import { go } from "../place/usePlace.ts"
import { useName } from "./NameContext.ts"
import type { AccountSection } from "./sections.ts"

export type AccountMenuProps = {
  readonly agent: string
  readonly branch: string
  readonly current?: boolean
  readonly onChoose?: () => void
}

/** Who is signed in, and everything that belongs to them. At the bottom of the sidebar. */
export function AccountMenu({ agent, branch, current = false, onChoose }: AccountMenuProps) {
  const name = useName()
  const open = (section: AccountSection) => () => {
    onChoose?.()
    go(pageAddress("account", agent, branch, section))
  }
  return (
    <Menu
      align="start"
      items={[
        { label: t("usage"), icon: ChartNoAxesColumn, onChoose: open("usage") },
        { label: t("apiKeys"), icon: KeyRound, onChoose: open("keys") },
        { label: t("notifications"), icon: Bell, onChoose: open("notifications") },
        { label: t("yourData"), icon: Database, onChoose: open("data") },
        "line",
        { label: t("signOut"), icon: LogOut, onChoose: () => registry.run("leave") },
      ]}
    >
      <button
        type="button"
        aria-label={name === undefined ? undefined : t("accountOf", { name })}
        aria-current={current ? "page" : undefined}
        className={cx(
          "flex w-full min-w-0 items-center gap-2.5 rounded-lg px-2 py-1.5 font-medium text-sm transition-colors hover:bg-line/50 pointer-coarse:py-2.5",
          current && "bg-line/60",
        )}
      >
        <span className="inline-flex size-5 shrink-0 items-center justify-center">
          <CircleUser aria-hidden className="size-4.5 text-muted" />
        </span>
        <span className="min-w-0 truncate">{name ?? t("account")}</span>
      </button>
    </Menu>
  )
}
