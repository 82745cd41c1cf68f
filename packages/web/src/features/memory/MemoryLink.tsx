import { Brain } from "lucide-react"
import { SideLink } from "../../ui/SideLink.tsx"
import { pageAddress } from "../place/place.ts"

export type MemoryLinkProps = {
  readonly agent: string
  readonly current?: boolean
  readonly onChoose?: () => void
}

/** The sidebar link to the memories. */
export function MemoryLink({ agent, current, onChoose }: MemoryLinkProps) {
  return (
    <SideLink href={pageAddress("memory", agent)} icon={Brain} label="Memory" current={current} onChoose={onChoose} />
  )
}
