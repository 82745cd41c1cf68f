import type { t } from "../en/attachments.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  attachments: "Anhänge",
  storage: "Speicher für Anhänge",
  storageUsed: "Belegter Speicher",
  usedOf: "{used} von {most} belegt",
  everyFile:
    "Alle Dateien, die du an Nachrichten angehängt hast, aus allen Chats. Lösche, was du nicht mehr brauchst, um Platz zu schaffen.",
  loadMore: "Mehr laden",
  deleteName: "{name} löschen",
  deleteNameAsk: "{name} löschen?",
  deleteMeans:
    "Nachrichten zeigen weiter den Namen, aber weder du noch ein Agent kann die Datei mehr öffnen. Das lässt sich nicht rückgängig machen.",
  none: "Noch keine Anhänge",
  howToAttach:
    "Klicke in einem Chat auf die Büroklammer im Eingabefeld, zieh Dateien auf die Seite oder füge ein Bild ein. {limits}.",
  storedUntil:
    "Anhänge bleiben gespeichert, bis du sie löschst, insgesamt bis zu {most}. Eine Datei, die du mehrmals anhängst, zählt nur einmal.",
  image: "{format}-Bild",
  audio: "{format}-Audio",
  text: "Text",
  textOf: "Text ({type})",
}
