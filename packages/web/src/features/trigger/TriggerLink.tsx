import { AlarmClock } from "lucide-react"
import { t } from "../../texts/en/keyboard.ts"
import { SideLink } from "../../ui/SideLink.tsx"
import { pageAddress } from "../place/place.ts"

export type TriggerLinkProps = {
  readonly agent: string
  readonly branch: string
  readonly current?: boolean
  readonly onChoose?: () => void
}

/** The sidebar link to the triggers. */
export function TriggerLink({ agent, branch, current, onChoose }: TriggerLinkProps) {
  return (
    <SideLink
      href={pageAddress("triggers", agent, branch)}
      icon={AlarmClock}
      label={t("triggers")}
      current={current}
      onChoose={onChoose}
    />
  )
}
