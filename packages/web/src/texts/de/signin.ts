import type { t } from "../en/signin.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  signInToParlor: "Bei Parlor anmelden",
  signIn: "Anmelden",
  signingIn: "Du wirst angemeldet …",
  tryAgain: "Erneut versuchen",
  youSignInAt: "Du meldest dich bei {host} an und kommst hierher zurück.",
  cantSignInNow: "Deine Chats bleiben erhalten. Du kannst sie lesen, sobald du angemeldet bist.",
  yourSessionHasEnded:
    "Deine Sitzung ist abgelaufen. Melde dich wieder an, um fortzufahren. Was du geschrieben hast, bleibt erhalten.",
  youAreSignedOut: "Du bist abgemeldet.",
  tokenRejected: "Der Server hat das Token dieses Browsers abgelehnt. Melde dich an oder verwende das neueste Token.",
  useAToken: "Token verwenden",
  tokensAreFor: "Für die Person, der dieser Server gehört, und für API-Schlüssel.",
  denied: "Die Anmeldung wurde abgebrochen, oder du darfst diesen Server nicht benutzen.",
  expired: "Diese Anmeldung ist abgelaufen oder wurde in einem anderen Fenster begonnen. Versuche es erneut.",
  clock: "Datum oder Uhrzeit dieses Geräts scheint falsch zu sein. Stelle sie richtig und versuche es erneut.",
  unreachable: "Der Anmeldedienst ist gerade nicht erreichbar. Versuche es gleich noch einmal.",
  rejected:
    "Dieser Server hat deine Anmeldung nicht angenommen: {reason} Bitte die Person, die den Server betreibt, die Einstellungen zu prüfen.",
  insecure: "Die Anmeldung funktioniert nur über https. Öffne diese Seite mit einer Adresse, die mit https:// beginnt.",
  storage:
    "Dein Browser blockiert den Speicher dieser Seite, den die Anmeldung braucht. Erlaube ihn und versuche es erneut.",
  failed: "Die Anmeldung ist fehlgeschlagen. Versuche es erneut, oder frage die Person, die den Server betreibt.",
  failedBecause:
    "Die Anmeldung ist fehlgeschlagen: {reason} Versuche es erneut, oder frage die Person, die den Server betreibt.",
}
