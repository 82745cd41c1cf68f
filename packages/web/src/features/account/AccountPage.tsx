import type { Parlor } from "@parlor/client"
import { useCallback, useEffect, useRef } from "react"
import { t } from "../../texts/en/account.ts"
import { PageFrame } from "../../ui/PageFrame.tsx"
import { Refused } from "../list/Refused.tsx"
import { useAsked } from "../list/useList.ts"
import { addressOf } from "../place/place.ts"
import { DataSection } from "./DataSection.tsx"
import { KeysSection } from "./KeysSection.tsx"
import { useName } from "./NameContext.ts"
import { NotificationsSection } from "./NotificationsSection.tsx"
import { UsageSection } from "./UsageSection.tsx"

export type AccountPageProps = {
  readonly parlor: Parlor
  /** The conversation to go back to. */
  readonly agent: string
  readonly branch: string
  /** The section to begin with. */
  readonly section?: string | undefined
  readonly onRefused: () => void
}

/** Everything that belongs to the signed-in person rather than to a conversation. */
export function AccountPage({ parlor, agent, branch, section, onRefused }: AccountPageProps) {
  const name = useName()
  const read = useCallback(() => parlor.account(), [parlor])
  const { answer: account, note, reload } = useAsked(read, { onRefused })
  const list = useRef<HTMLDivElement>(null)
  const isLoaded = account !== undefined
  useEffect(() => {
    if (isLoaded && section !== undefined)
      focusOn(list.current?.querySelector(`[data-section="${CSS.escape(section)}"]`))
  }, [section, isLoaded])
  return (
    <PageFrame title={t("account")} back={{ href: addressOf(agent, branch), to: agent }}>
      <Refused note={note} onRetry={reload} />
      {account === undefined && note === undefined && <p className="animate-late text-muted">{t("loading")}</p>}
      {account !== undefined && (
        <div ref={list} className="space-y-8">
          <p className="break-words text-muted text-sm">{t("signedInAs", { name: name ?? account.person })}</p>
          <UsageSection parlor={parlor} onRefused={onRefused} />
          <KeysSection parlor={parlor} account={account} onRefused={onRefused} />
          <NotificationsSection parlor={parlor} />
          <DataSection parlor={parlor} account={account} />
        </div>
      )}
    </PageFrame>
  )
}

function focusOn(section: Element | null | undefined): void {
  if (!(section instanceof HTMLElement)) return
  section.scrollIntoView({ block: "start" })
  section.focus({ preventScroll: true })
}
