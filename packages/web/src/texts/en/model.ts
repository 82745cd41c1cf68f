import { texts } from "../texts.ts"

export const t = texts("model", {
  modelInUse: "Model: {name}. Choose another",
  demoModel: "Demo model",
  connectARealOne: "Connect a real one",
  chooseAModel: "Choose a model for this conversation",
  checkYourKey: "Check your API key",
})
