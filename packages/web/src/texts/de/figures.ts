import type { t } from "../en/figures.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  tokensIn: "Tokens hinein",
  cached: "davon aus dem Cache",
  cacheWritten: "in den Cache geschrieben",
  tokensOut: "Tokens heraus",
  reasoning: "davon Nachdenken",
  cost: "Kosten",
  priceUnknown: "Preis unbekannt",
  thousands: "{number} Tsd.",
  millions: "{number} Mio.",
  percent: "{percent} %",
}
