import type { t } from "../en/model.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  modelInUse: "Modell: {name}. Anderes wählen",
  demoModel: "Demo-Modell",
  connectARealOne: "Echtes verbinden",
  chooseAModel: "Modell für diese Unterhaltung wählen",
  checkYourKey: "API-Schlüssel prüfen",
}
