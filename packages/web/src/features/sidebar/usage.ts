/** Memory use compared with the budgets (TAB-5). Pure. */
import type { LiveState } from "@parlor/client"
import { sizeWords } from "@parlor/protocol"
import { t } from "../../texts/en/sidebar.ts"
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
    { name: "openTabs", label: t("openTabs"), value: openTabs, most: undefined, unit: "count" },
    count("hydratedTabs", t("conversationsInMemory"), hydrated),
    count("messageLists", t("messageListsOnThePage"), reported.messageLists),
    count("timelineItems", t("messagesOnThePage"), reported.timelineItems),
    count("streamingBytes", t("streamingText"), streamingBytes(messages)),
    count("filePreviewBytes", t("fileContents"), reported.filePreviewBytes),
    count("backgroundRestores", t("backgroundLoading"), residents.warming.size),
  ]
}

export function counterWords({ value, most, unit }: Counter): string {
  const shown = unit === "bytes" ? sizeWords(value) : String(value)
  if (most === undefined) return shown
  return t("usedOf", { used: shown, most: unit === "bytes" ? sizeWords(most) : most })
}
