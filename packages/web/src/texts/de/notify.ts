import type { t } from "../en/notify.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  open: "Öffnen",
  turnOnDesktopNotifications: "Benachrichtigungen einschalten?",
  turnOn: "Einschalten",
  noThanks: "Nein danke",
  anAgentWasWaitingFor: "Ein Agent hat auf dich gewartet, während du weg warst.",
  agentCouldntFinish: "{agent} konnte nicht fertig werden",
  openItToSeeWhy: "Öffne den Chat, um den Grund zu sehen.",
  agentIsDone: "{agent} ist fertig",
  agentNeedsYourApproval: "{agent} braucht deine Erlaubnis",
  agentHasAQuestionFor: "{agent} hat eine Frage an dich",
  agentNeedsSomeInformationFrom: "{agent} braucht eine Angabe von dir",
  yourBrowserBlocksNotificationsFor:
    "Dein Browser blockiert Benachrichtigungen dieser Seite. Erlaube sie in den Einstellungen neben der Adressleiste.",
  thisBrowserDoesntSupportNotifications: "Dieser Browser unterstützt keine Benachrichtigungen.",
  whenAnAgentNeedsYou: "Wenn ein Agent dich braucht, fertig ist oder scheitert, während du weg bist.",
}
