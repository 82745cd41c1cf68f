/** The steps of opening a conversation, as performance marks (TAB-2). */
export type OpeningStep = "open" | "shell" | "snapshot" | "newest"

function stepName(step: OpeningStep): string {
  return `parlor:${step}`
}

export function markStep(step: OpeningStep, key: string, activation: number): void {
  performance.mark(stepName(step), { detail: { key, activation } })
}
