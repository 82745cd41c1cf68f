import type { t } from "../en/push.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  whenClosed: "Benachrichtigungen, wenn Parlor geschlossen ist",
  offHint:
    "Dieses Gerät sagt dir, wenn ein Agent dich braucht, fertig ist oder scheitert, auch wenn kein Fenster offen ist.",
  onHint: "Auf diesem Gerät eingeschaltet. Der Push-Dienst deines Browsers stellt sie zu und kann sie nicht lesen.",
  blocked:
    "Dein Browser blockiert Benachrichtigungen dieser Seite. Erlaube sie in den Einstellungen neben der Adressleiste.",
  unsupported:
    "Hier nicht verfügbar. Nötig sind ein Browser mit Web-Push und eine Seite, die über HTTPS geladen wird. Auf iPhone und iPad musst du Parlor zuerst zum Home-Bildschirm hinzufügen.",
  showText: "Anfang der Nachrichten anzeigen",
  showTextHint: "Sonst nennen Benachrichtigungen nur den Agenten. Wer deinen Bildschirm sieht, kann sie lesen.",
  sendTest: "Test-Benachrichtigung senden",
  testSent: "Gesendet. Wenn nichts erscheint, prüfe die Benachrichtigungs-Einstellungen deines Systems.",
  testFailed: "Die Test-Benachrichtigung wurde nicht zugestellt. {why}",
  notAllowed: "Dein Browser hat Benachrichtigungen nicht erlaubt.",
  deviceFailed:
    "Dein Browser konnte sich nicht bei seinem Push-Dienst anmelden. Prüfe seine Einstellungen und deine Verbindung und versuche es noch einmal.",
  serverCant: "Dieser Server kann keine Benachrichtigungen senden.",
  testTitle: "Benachrichtigungen funktionieren",
  testBody: "So sagt dir Parlor, dass ein Agent dich braucht.",
  otherTitle: "Parlor hat Neuigkeiten für dich",
}
