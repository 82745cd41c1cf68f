import { Brain } from "lucide-react"
import { SideLink } from "../../ui/SideLink.tsx"
import { memoryAddress } from "./place.ts"

export type MemoryLinkProps = {
  readonly agent: string
  readonly current?: boolean
  readonly onChoose?: () => void
}

/** The way to what is remembered. */
export function MemoryLink({ agent, current, onChoose }: MemoryLinkProps) {
  return <SideLink href={memoryAddress(agent)} icon={Brain} label="Memory" current={current} onChoose={onChoose} />
}
