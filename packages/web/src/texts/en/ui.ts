import { texts } from "../texts.ts"

export const t = texts("ui", {
  copied: "Copied",
  theBrowserBlockedCopying: "The browser blocked copying",
  moveToMessageBox: "Move to message box",
  discard: "Discard",
  nameCantBeShown: "{name} can't be shown",
  somethingWentWrongOnThis:
    "Something went wrong on this page. Nothing is lost: messages are stored on the server, and drafts in this browser.",
  reloadPage: "Reload page",
  notifications: "Notifications",
  dismiss: "Dismiss",
  backTo: "Back to {place}",
  thisPage: "This page",
})
