import { Brain } from "lucide-react"
import { t } from "../../texts/en/memory.ts"
import { Empty } from "../../ui/Empty.tsx"

/** The empty state: why it is empty, and how to add a memory. */
export function EmptyMemory({ query, agent }: { readonly query: string; readonly agent: string }) {
  if (query !== "") return <p className="mt-6 text-muted">{t("noMemoryContainsAllThese", { query })}</p>
  return (
    <Empty icon={Brain} title={t("noMemoriesYet")}>
      <p>{t("agentsRememberWhatShouldLast", { agent })}</p>
      <p className="mt-3">{t("everyAgentSeesTheOne")}</p>
    </Empty>
  )
}
