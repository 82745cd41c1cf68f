/** Memory use compared with the budgets (TAB-5). Pure. */
import type { LiveState } from "@parlor/client"
import { sizeWords } from "@parlor/protocol"
import { type BudgetName, budgets } from "../tab/budgets.ts"
import { isHydrated, type Residents } from "../tab/residency.ts"
import { streamingBytes } from "../tab/streaming.ts"

export type Counter = {
  readonly name: BudgetName | "openTabs"
  readonly label: string
  readonly value: number
  /** Undefined for counters without a budget. */
  readonly most: number | undefined
  readonly unit: "count" | "bytes"
}

export type Reported = {
  readonly messageLists: number
  readonly timelineItems: number
  readonly filePreviewBytes: number
}

export function countersOf(
  openTabs: number,
  residents: Residents,
  reported: Reported,
  messages: LiveState["messages"],
): readonly Counter[] {
  const hydrated = [...residents.tabs.values()].filter(isHydrated).length
  const count = (name: BudgetName, label: string, value: number): Counter => {
    return { name, label, value, most: budgets[name], unit: name.endsWith("Bytes") ? "bytes" : "count" }
  }
  return [
    { name: "openTabs", label: "Open tabs", value: openTabs, most: undefined, unit: "count" },
    count("hydratedTabs", "Conversations in memory", hydrated),
    count("messageLists", "Message lists on the page", reported.messageLists),
    count("timelineItems", "Messages on the page", reported.timelineItems),
    count("streamingBytes", "Streaming text", streamingBytes(messages)),
    count("filePreviewBytes", "File contents", reported.filePreviewBytes),
    count("backgroundRestores", "Background loading", residents.warming.size),
  ]
}

export function counterWords({ value, most, unit }: Counter): string {
  const shown = unit === "bytes" ? sizeWords(value) : String(value)
  if (most === undefined) return shown
  return `${shown} of ${unit === "bytes" ? sizeWords(most) : most}`
}
