import { texts } from "../texts.ts"

export const t = texts("theme", {
  system: "System",
  light: "Light",
  dark: "Dark",
  settings: "Settings",
  textSize: "Text size",
  small: "Small",
  normal: "Normal",
  large: "Large",
  larger: "Larger",
  theme: "Theme",
  desktopNotifications: "Desktop notifications",
  keyboard: "Keyboard",
  keyboardShortcuts: "Keyboard shortcuts {keys}",
  developer: "Developer",
  removesYourTokenAndUnsent: "Removes your token and unsent messages from this browser. Nothing on the server changes.",
  signOutOfThisBrowser: "Sign out of this browser",
})
