import type { t } from "../en/search.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  all: "Alle",
  messages: "Nachrichten",
  chapters: "Kapitel",
  memory: "Gedächtnis",
  search: "Suche",
  searchAllConversationsAndMemories: "Alle Chats und Erinnerungen durchsuchen",
  searchIn: "Suchen in",
  everywhere: "Überall",
  withAgent: "Mit {agent}",
  resultType: "Art der Treffer",
  searching: "Suche läuft …",
  searchEverything: "Alles durchsuchen",
  findsYourMessagesChapterSummaries:
    "Findet deine Nachrichten, Zusammenfassungen von Kapiteln und Erinnerungen, bei allen Agenten. Treffer enthalten alle Wörter; Akzente und Großschreibung spielen keine Rolle.",
  noResults: "Keine Treffer",
  foundInTitle: "Gefunden in {title}",
  chapterSummary: "Zusammenfassung des Kapitels",
  whoRolledBack: "{who} · zurückgesetzt",
  topCount: "Die besten {count}",
  countOfTheTopLength: "{count} der besten {length}",
  countFound: "{count} gefunden",
  orSearchEverywhereNotOnly: "Oder suche überall, nicht nur bei {agent}.",
  thereAreResultsOfAnother: "Es gibt Treffer anderer Art: Wähle „Alle“.",
  tryFewerWords: "Versuche es mit weniger Wörtern.",
}
