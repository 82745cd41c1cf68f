import { texts } from "../texts.ts"

export const t = texts("notify", {
  open: "Open",
  turnOnDesktopNotifications: "Turn on desktop notifications?",
  turnOn: "Turn on",
  noThanks: "No thanks",
  anAgentWasWaitingFor: "An agent was waiting for you while you were away.",
  agentCouldntFinish: "{agent} couldn't finish",
  openItToSeeWhy: "Open it to see why.",
  agentIsDone: "{agent} is done",
  agentNeedsYourApproval: "{agent} needs your approval",
  agentHasAQuestionFor: "{agent} has a question for you",
  agentNeedsSomeInformationFrom: "{agent} needs some information from you",
  yourBrowserBlocksNotificationsFor:
    "Your browser blocks notifications for this page. Allow them in the site settings next to the address bar.",
  thisBrowserDoesntSupportNotifications: "This browser doesn't support notifications.",
  whenAnAgentNeedsYou: "When an agent needs you, finishes or fails while you are away.",
})
