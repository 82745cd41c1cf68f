import type { t } from "../en/find.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  findInThisConversation: "In diesem Chat suchen",
  previous: "Vorheriger Treffer",
  next: "Nächster Treffer",
  searchedTheLengthNewestMessages: "Die {length} neuesten Nachrichten wurden durchsucht.",
  failedTryAgain: "Fehlgeschlagen. Erneut versuchen",
  loadOlder: "Ältere laden",
  searchEverything: "Alles durchsuchen",
  noMatches: "Keine Treffer",
  allFound: "{all} gefunden",
  valueOfAll: "{value} von {all}",
}
