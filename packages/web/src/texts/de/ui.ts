import type { t } from "../en/ui.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  copied: "Kopiert",
  theBrowserBlockedCopying: "Der Browser hat das Kopieren verhindert",
  moveToMessageBox: "In das Nachrichtenfeld übernehmen",
  discard: "Verwerfen",
  nameCantBeShown: "{name} kann nicht angezeigt werden",
  somethingWentWrongOnThis:
    "Auf dieser Seite ist etwas schiefgegangen. Nichts ist verloren: Nachrichten liegen auf dem Server, Entwürfe in diesem Browser.",
  reloadPage: "Seite neu laden",
  notifications: "Benachrichtigungen",
  dismiss: "Ausblenden",
  backTo: "Zurück zu {place}",
  thisPage: "Diese Seite",
}
