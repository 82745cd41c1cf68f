import type { t } from "../en/preference.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  instructions: "Anweisungen für alle Agenten",
  instructionsHint: "Was Agenten über dich wissen und wie sie antworten sollen. Sie lesen es in jedem Chat.",
  instructionsExample: "Verwende metrische Einheiten. Antworte kurz.",
  agent: "Neue Chats beginnen mit",
  agentHint: "Für jeden Chat kannst du einen anderen Agenten wählen.",
  firstAgent: "Erster Agent des Servers",
  model: "Modell für neue Chats",
  modelHint: "Gilt, wo der Agent es anbietet. In jedem Chat kannst du ein anderes wählen.",
  agentsModel: "Das Modell des Agenten",
  tokensPerDay: "Tokens pro Tag",
  dollarsPerDay: "Dollar pro Tag",
  budgetHint: "Hält an und fragt dich, wenn sie verbraucht sind. Leer: Es gilt nur die Grenze des Servers.",
  wholeNumber: "Gib eine ganze Zahl über null ein.",
  amount: "Gib einen Betrag von mindestens 0,01 ein.",
  changedElsewhere: "Deine Einstellungen wurden auf einem anderen Gerät geändert. Prüfe sie und speichere noch einmal.",
  saved: "Gespeichert.",
  everyDevice: "Gilt auf allen deinen Geräten.",
}
