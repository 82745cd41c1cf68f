import type { t } from "../en/compaction.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  savedpercentSmaller: "{savedPercent} % kleiner",
  summaryTheModelSees: "Zusammenfassung, die das Modell sieht",
  goToMessages: "Zu den Nachrichten",
  chapterTitle: "Kapitel: {title}",
  theModelSeesASummary: "Das Modell sieht eine Zusammenfassung der Nachrichten darüber",
  summary: "Zusammenfassung",
  compactNow: "Jetzt zusammenfassen",
  chapters: "Kapitel",
  compacting: "Zusammenfassen",
  summarizing: "Wird zusammengefasst",
  summarizingOlderMessagesMessagesYou:
    "Ältere Nachrichten werden zusammengefasst. Was du jetzt sendest, wartet so lange.",
  stop: "Anhalten",
  noChaptersYet: "Noch keine Kapitel",
  whenAConversationGetsLong:
    "Wird ein Chat lang, werden seine ältesten Nachrichten für das Modell zusammengefasst. Jede Zusammenfassung ist ein Kapitel. Das geschieht von selbst, wenn es nötig ist, oder wenn du „Jetzt zusammenfassen“ wählst. Nichts wird gelöscht, jede Nachricht bleibt lesbar, und du kannst es rückgängig machen.",
  tokensbeforeTokensafterTokens: "{tokensBefore} → {tokensAfter} Tokens",
  countMessages: { one: "{count} Nachricht", other: "{count} Nachrichten" },
  undone: "rückgängig gemacht",
}
