import type { t } from "../en/palette.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  findAnything: "Alles finden",
  findAConversationAgentPage: "Chat, Agent, Seite oder Aktion suchen",
  searchOrRunACommand: "Suchen oder Befehl ausführen",
  search: "Suchen",
  results: "Ergebnisse",
  searchEverythingForWords: "Alles nach „{words}“ durchsuchen",
  newChatWithName: "Neuer Chat mit {name}",
  untitled: "Neuer Chat",
  sideChat: "Nebenchat",
  recentHeading: "Zuletzt",
  conversationsHeading: "Chats",
  archivedHeading: "Archiviert",
  agentsHeading: "Agenten",
  commandsHeading: "Befehle",
  actionsHeading: "Aktionen",
  searchHeading: "Suche",
}
