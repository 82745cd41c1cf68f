import type { Parlor } from "@parlor/client"
import { useCallback } from "react"
import { t } from "../../texts/en/ask.ts"
import { t as common } from "../../texts/en/common.ts"
import { Button } from "../../ui/Button.tsx"
import { Refused } from "../list/Refused.tsx"
import { useList } from "../list/useList.ts"

/** The tools that this person always allows, and a way to be asked again (ASK-4). */
export function GrantsList({ parlor }: { readonly parlor: Pick<Parlor, "grants"> }) {
  const read = useCallback(() => parlor.grants.list(), [parlor])
  const { items, note, reload, act } = useList(read)
  return (
    <div className="space-y-3 text-sm">
      <Refused note={note} onRetry={reload} />
      {items === undefined && note === undefined && <p className="animate-late text-muted">{common("loading")}</p>}
      {items?.length === 0 && <p className="text-muted">{t("noneWhenAnAgentAsks")}</p>}
      <ul aria-label={t("alwaysAllowedTools")} className="space-y-2">
        {items?.map((grant) => (
          <li key={grant.id} className="flex items-center gap-3 rounded-lg border border-line px-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate font-mono text-[0.8125rem]">{grant.tool}</p>
              <p className="truncate text-muted text-xs">
                {grant.branch === null
                  ? t("everyConversationWithAgent", { agent: grant.agent })
                  : t("agentInOneConversation", { agent: grant.agent })}
              </p>
            </div>
            <Button
              aria-label={t("revokeTool", { tool: grant.tool })}
              onClick={() => act(() => parlor.grants.revoke(grant.id))}
            >
              {t("revoke")}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
