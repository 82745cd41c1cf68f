import type { Parlor } from "@parlor/client"
import type { McpServerView } from "@parlor/protocol"
import { useCallback } from "react"
import { t } from "../../texts/en/trigger.ts"
import { rich } from "../../texts/rich.ts"
import { cx } from "../../ui/cx.ts"
import { Summary } from "../../ui/Summary.tsx"
import { Refused } from "../list/Refused.tsx"
import { useList } from "../list/useList.ts"
import { lentWords, stateWords, toolWords } from "./mcpView.ts"

/** The MCP servers: status, tools, and which events wake which agent (TRG-6). */
export function McpServers({ parlor }: { readonly parlor: Parlor }) {
  const read = useCallback(() => parlor.mcpServers(), [parlor])
  const { items, note, reload } = useList(read)
  return (
    <section aria-label={t("mcpServers")} className="mt-8">
      <h2 className="font-semibold text-muted text-sm">{t("mcpServers")}</h2>
      <Refused note={note} onRetry={reload} />
      {items?.length === 0 && (
        <p className="mt-2 text-muted text-sm">{rich(t.pieces("noMcp", { file: <code>parlor.config.ts</code> }))}</p>
      )}
      <McpServerList servers={items ?? []} />
    </section>
  )
}

export function McpServerList({ servers }: { readonly servers: readonly McpServerView[] }) {
  return (
    <ul className="mt-2 space-y-2">
      {servers.map((server) => (
        <li key={server.name} className="rounded-xl border border-line bg-raised px-3.5 py-2.5">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">{server.name}</span>
            <span className={cx("break-words text-xs", server.state === "waiting" ? "text-warn" : "text-muted")}>
              {stateWords(server)}
            </span>
          </p>
          <p className="text-muted text-xs">{lentWords(server)}</p>
          {server.wakes.map((wake) => (
            <p key={`${wake.on} ${wake.agent} ${wake.branch}`} className="text-muted text-xs">
              {t("wakes", { event: wake.on, agent: `${wake.agent}/${wake.branch}` })}
              {wake.lastError !== null && `: ${wake.lastError}`}
            </p>
          ))}
          <details className="group mt-1 text-sm">
            <Summary>{t("tools")}</Summary>
            <ul className="mt-1 space-y-1">
              {server.tools.map((tool) => (
                <li key={tool.name} className="break-words">
                  <code>{tool.name}</code> <span className="text-warn text-xs">{toolWords(tool)}</span>
                </li>
              ))}
              {server.leftOut.map(({ tool, why }) => (
                <li key={tool} className="break-words text-muted">
                  {rich(t.pieces("notOffered", { tool: <code>{tool}</code>, why }))}
                </li>
              ))}
            </ul>
          </details>
        </li>
      ))}
    </ul>
  )
}
