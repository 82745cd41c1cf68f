/** The model of a session as a config option that a client can change. Pure. */
import type { ModelSettings, ModelView } from "@parlor/protocol"

export const ACP_MODEL_OPTION = "model"

export type AcpConfigOption = {
  readonly id: string
  readonly name: string
  readonly category: "model"
  readonly type: "select"
  readonly currentValue: string
  readonly options: { readonly value: string; readonly name: string }[]
}

/** Empty if there is nothing to choose. A chosen model that is not ready to use stays visible. */
export function acpConfigOptions(models: readonly ModelView[], settings: ModelSettings | null): AcpConfigOption[] {
  const currentValue = settings?.model ?? models.find(({ isDefault }) => isDefault)?.name
  const offered = models.filter(({ name, ready }) => ready || name === currentValue)
  if (currentValue === undefined || offered.length < 2) return []
  const options = offered.map(({ name }) => ({ value: name, name }))
  return [{ id: ACP_MODEL_OPTION, name: "Model", category: "model", type: "select", currentValue, options }]
}
