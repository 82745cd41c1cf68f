import { texts } from "../texts.ts"

export const t = texts("preference", {
  instructions: "Instructions for every agent",
  instructionsHint: "What agents should know about you and how they should reply. They read it in every conversation.",
  instructionsExample: "Use metric units. Keep replies short.",
  agent: "New chats begin with",
  agentHint: "You can choose another agent for each chat.",
  firstAgent: "The server's first agent",
  model: "Model for new chats",
  modelHint: "Used where the agent offers it. You can choose another model in each chat.",
  agentsModel: "The agent's own model",
  tokensPerDay: "Tokens per day",
  dollarsPerDay: "Dollars per day",
  budgetHint: "Pauses and asks you when it is used up. Empty: only the server's limit.",
  wholeNumber: "Enter a whole number above zero.",
  amount: "Enter an amount of at least 0.01.",
  changedElsewhere: "Your settings were changed on another device. Check them, then save again.",
  saved: "Saved.",
  everyDevice: "Applies on all your devices.",
})
