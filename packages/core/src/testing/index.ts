export { uncovered } from "../compaction/coverage.ts"
export { unescapeTags } from "../text/tags.ts"
export { countingIds } from "./counting-ids.ts"
export { FakeClock } from "./fake-clock.ts"
export { MemoryFiles, type MemoryFilesHook } from "./memory-files.ts"
export { MemorySpool } from "./memory-spool.ts"
export { type MemoryHooks, MemoryStore, type StreamDump } from "./memory-store.ts"
export { type Heard, readFrames } from "./read-frames.ts"
export { requestDefects } from "./request-defects.ts"
export { type HarnessScript, ScriptedHarness } from "./scripted-harness.ts"
export {
  calls,
  finish,
  type Gate,
  gate,
  type Script,
  type ScriptedModel,
  type ScriptStep,
  says,
  scriptedModel,
} from "./scripted-model.ts"
export { testSeal } from "./test-seal.ts"
