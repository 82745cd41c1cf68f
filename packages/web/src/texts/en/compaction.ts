import { texts } from "../texts.ts"

export const t = texts("compaction", {
  savedpercentSmaller: "{savedPercent}% smaller",
  summaryTheModelSees: "Summary the model sees",
  goToMessages: "Go to messages",
  chapterTitle: "Chapter: {title}",
  theModelSeesASummary: "The model sees a summary of the messages above",
  summary: "Summary",
  compactNow: "Compact now",
  chapters: "Chapters",
  compacting: "Compacting",
  summarizing: "Summarizing",
  summarizingOlderMessagesMessagesYou: "Summarizing older messages. Messages you send now will wait.",
  stop: "Stop",
  noChaptersYet: "No chapters yet",
  whenAConversationGetsLong:
    "When a conversation gets long, its oldest messages are summarized for the model. Each summary is a chapter. This happens automatically when needed, or when you press Compact now. Nothing is deleted, every message stays readable, and you can undo it.",
  tokensbeforeTokensafterTokens: "{tokensBefore} → {tokensAfter} tokens",
  countMessages: { one: "{count} message", other: "{count} messages" },
  undone: "undone",
})
