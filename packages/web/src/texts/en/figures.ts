import { texts } from "../texts.ts"

export const t = texts("figures", {
  tokensIn: "Tokens in",
  cached: "of them cached",
  cacheWritten: "written to the cache",
  tokensOut: "Tokens out",
  reasoning: "of them reasoning",
  cost: "Cost",
  priceUnknown: "price unknown",
  thousands: "{number}k",
  millions: "{number}M",
  percent: "{percent}%",
})
