import type { t } from "../en/theme.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  system: "System",
  light: "Hell",
  dark: "Dunkel",
  settings: "Einstellungen",
  textSize: "Schriftgröße",
  small: "Klein",
  normal: "Normal",
  large: "Groß",
  larger: "Größer",
  theme: "Design",
  desktopNotifications: "Benachrichtigungen auf dem Desktop",
  keyboard: "Tastatur",
  keyboardShortcuts: "Tastenkürzel {keys}",
  developer: "Für Entwickler",
  removesYourTokenAndUnsent:
    "Entfernt dein Token und nicht gesendete Nachrichten aus diesem Browser. Auf dem Server ändert sich nichts.",
  signOutOfThisBrowser: "Von diesem Browser abmelden",
}
