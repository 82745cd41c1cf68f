import { texts } from "../texts.ts"

export const t = texts("push", {
  whenClosed: "Notifications while Parlor is closed",
  offHint: "This device tells you when an agent needs you, finishes or fails, even if no window is open.",
  onHint: "On for this device. Your browser's push service delivers them and can't read them.",
  blocked: "Your browser blocks notifications for this page. Allow them in the site settings next to the address bar.",
  unsupported:
    "Not available here. It needs a browser with web push and a page that is served over HTTPS. On iPhone and iPad, add Parlor to the home screen first.",
  showText: "Show the beginning of messages",
  showTextHint: "Otherwise notifications only name the agent. Anyone who sees your screen can read them.",
  sendTest: "Send a test notification",
  testSent: "Sent. If nothing appears, check the notification settings of your system.",
  testFailed: "The test notification wasn't delivered. {why}",
  notAllowed: "Your browser didn't allow notifications.",
  deviceFailed:
    "Your browser couldn't subscribe to its push service. Check its settings and your connection, then try again.",
  serverCant: "This server can't send notifications.",
  testTitle: "Notifications work",
  testBody: "This is how Parlor tells you that an agent needs you.",
  otherTitle: "Parlor has news for you",
})
