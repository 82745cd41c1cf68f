import { texts } from "../texts.ts"

export const t = texts("agent", {
  configNotLoaded: "The config was not loaded; the previous agents stay",
  configMistake: "The config has a mistake",
  dismiss: "Dismiss",
})
