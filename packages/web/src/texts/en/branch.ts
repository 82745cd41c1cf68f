import { texts } from "../texts.ts"

export const t = texts("branch", {
  branchOf: "Branch of {title}",
  noBranchesYetHoverOver:
    "No branches yet. Hover over a message to branch from it, or start a side chat: it sees this conversation, but adds nothing to it unless you merge its answer.",
  branches: "Branches",
  sideChats: "Side chats",
  newSideChat: "New side chat",
  newChat: "New chat",
  branchesCount: "Branches: {count}",
  branchedFromFromHere: "Branched from {from} here",
  branchedFrom: "Branched from",
  showThisMessageInThe: "Show this message in the other conversation",
  here: "here",
  sideChat: "Side chat",
  sideChatOfCalled: "Side chat of {called}",
  openSideBySide: "Open side by side",
  mergeAnswer: "Merge answer",
  keepAsBranch: "Keep as branch",
})
