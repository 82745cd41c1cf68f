import { texts } from "../texts.ts"

export const t = texts("search", {
  all: "All",
  messages: "Messages",
  chapters: "Chapters",
  memory: "Memory",
  search: "Search",
  searchAllConversationsAndMemories: "Search all conversations and memories",
  searchIn: "Search in",
  everywhere: "Everywhere",
  withAgent: "With {agent}",
  resultType: "Result type",
  searching: "Searching…",
  searchEverything: "Search everything",
  findsYourMessagesChapterSummaries:
    "Finds your messages, chapter summaries and memories, with every agent. Results contain all the words; accents and capitalization don't matter.",
  noResults: "No results",
  foundInTitle: "Found in {title}",
  chapterSummary: "Chapter summary",
  whoRolledBack: "{who} · rolled back",
  topCount: "Top {count}",
  countOfTheTopLength: "{count} of the top {length}",
  countFound: "{count} found",
  orSearchEverywhereNotOnly: "Or search everywhere, not only with {agent}.",
  thereAreResultsOfAnother: "There are results of another type: choose All.",
  tryFewerWords: "Try fewer words.",
})
