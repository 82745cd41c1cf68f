import { texts } from "../texts.ts"

export const t = texts("palette", {
  findAnything: "Find anything",
  findAConversationAgentPage: "Find a conversation, agent, page or action",
  searchOrRunACommand: "Search or run a command",
  search: "Search",
  results: "Results",
  searchEverythingForWords: "Search everything for “{words}”",
  newChatWithName: "New chat with {name}",
  untitled: "New conversation",
  sideChat: "side chat",
  recentHeading: "Recent",
  conversationsHeading: "Conversations",
  archivedHeading: "Archived",
  agentsHeading: "Agents",
  commandsHeading: "Commands",
  actionsHeading: "Actions",
  searchHeading: "Search",
})
