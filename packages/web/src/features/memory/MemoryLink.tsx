import { Brain } from "lucide-react"
import { t } from "../../texts/en/memory.ts"
import { SideLink } from "../../ui/SideLink.tsx"
import { pageAddress } from "../place/place.ts"

export type MemoryLinkProps = {
  readonly agent: string
  readonly branch: string
  readonly current?: boolean
  readonly onChoose?: () => void
}

/** The sidebar link to the memories. */
export function MemoryLink({ agent, branch, current, onChoose }: MemoryLinkProps) {
  return (
    <SideLink
      href={pageAddress("memory", agent, branch)}
      icon={Brain}
      label={t("memory")}
      current={current}
      onChoose={onChoose}
    />
  )
}
