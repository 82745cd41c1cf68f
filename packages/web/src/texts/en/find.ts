import { texts } from "../texts.ts"

export const t = texts("find", {
  findInThisConversation: "Find in this conversation",
  previous: "Previous",
  next: "Next",
  searchedTheLengthNewestMessages: "Searched the {length} newest messages.",
  failedTryAgain: "Failed. Try again",
  loadOlder: "Load older",
  searchEverything: "Search everything",
  noMatches: "No matches",
  allFound: "{all} found",
  valueOfAll: "{value} of {all}",
})
