import type { t } from "../en/agent.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  configNotLoaded: "Die Konfiguration wurde nicht geladen; die bisherigen Agenten bleiben",
  configMistake: "Die Konfiguration enthält einen Fehler",
  dismiss: "Ausblenden",
}
