export { FakeClock, type Gate, gate, type Script, type ScriptStep, says } from "@parlor/core/testing"
export { fails, type Said } from "./said.ts"
export { type ScenarioOptions, type Scene, type SceneSend, scenario } from "./scenario.ts"
