import type { t } from "../en/token-page.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  addressOrToken: "Adresse oder Token",
  open: "Öffnen",
  noToken: "Dieser Text enthält kein Token. Such in der ausgegebenen Adresse nach „#token=“.",
  storedHere:
    "Es wird nur in diesem Browser gespeichert. Du findest es auch in der Datei „token“ in Parlors Datenordner (normalerweise „.parlor“).",
  openParlor: "Parlor öffnen",
  rejected:
    "Der Server hat das Token dieses Browsers abgelehnt. Vielleicht wurde es ersetzt: Verwende die neueste Adresse.",
  needsToken:
    "Diese Seite braucht das Token deines Servers, damit sonst niemand auf diesem Rechner deine Chats lesen kann.",
  whereToFind:
    "Der Befehl, der Parlor gestartet hat, gibt eine Adresse aus, die es enthält, ebenso {command}. Öffne diese Adresse oder füge sie hier ein:",
  startExample: "$ npm start\nParlor is ready: {address}",
}
