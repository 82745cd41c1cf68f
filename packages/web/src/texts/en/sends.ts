import { texts } from "../texts.ts"

export const t = texts("sends", {
  notSentTitle: "Not sent. {title}.",
  moveToMessageBox: "Move to message box",
  discard: "Discard",
  waitingToBeSent: "Waiting to be sent",
  tryNow: "Try now",
  cancelText: "Cancel: {text}",
  offlineWillBeSentWhen: "Offline: will be sent when you are back online",
  sendingAgain: "Sending again…",
  theServerCouldntAcceptIt: "The server couldn't accept it. Retrying",
  cantReachTheServerRetrying: "Can't reach the server. Retrying",
})
