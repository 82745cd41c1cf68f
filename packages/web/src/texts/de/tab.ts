import type { t } from "../en/tab.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  needsYou: "braucht dich",
  pinned: "Angeheftet",
  today: "Heute",
  yesterday: "Gestern",
  previous7Days: "Letzte 7 Tage",
  previous30Days: "Letzte 30 Tage",
  anotherConversation: "einem anderen Chat",
  withAgent: "mit {agent}",
  loadingValue: "Wird geladen. {value}.",
  asOfClockLoadingNew: "Stand {clock}, neue Nachrichten werden geladen …",
  queuedInTheQueue: "{queued} in der Warteschlange",
  latestFileLatestfile: "neueste Datei {latestFile}",
  questions: { one: "Eine Frage an dich", other: "{count} Fragen an dich" },
  draft: "Entwurf",
  untitled: "Neuer Chat",
  running: "läuft",
  failed: "fehlgeschlagen",
  doneUnread: "fertig, ungelesen",
  unread: "ungelesen",
  queuedPaused: "{count} in der Warteschlange, angehalten",
  queuedCount: "{count} in der Warteschlange",
}
