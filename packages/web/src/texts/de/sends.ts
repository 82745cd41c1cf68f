import type { t } from "../en/sends.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  notSentTitle: "Nicht gesendet. {title}.",
  moveToMessageBox: "In das Nachrichtenfeld übernehmen",
  discard: "Verwerfen",
  waitingToBeSent: "Wartet auf das Senden",
  tryNow: "Jetzt versuchen",
  cancelText: "Abbrechen: {text}",
  offlineWillBeSentWhen: "Offline: wird gesendet, sobald du wieder online bist",
  sendingAgain: "Wird erneut gesendet …",
  theServerCouldntAcceptIt: "Der Server konnte sie nicht annehmen. Neuer Versuch",
  cantReachTheServerRetrying: "Der Server ist nicht erreichbar. Neuer Versuch",
}
