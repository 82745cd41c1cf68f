import { defaultClientConditions, defaultServerConditions } from "vite"
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config"
import { LongestFirst } from "./test/support/sequencer.ts"

/** Workspace packages are tested from their TypeScript sources, not from what the last build left. */
const SOURCE = "@parlor/source"

/** Tests of pure modules: nothing but memory, so many files share a process and what they import. */
const SHARED = [
  "packages/{agent,cli,core,mcp,models,protocol,server,testing,web}/src/**/*.test.{ts,tsx}",
  "test/scenario/**/*.test.ts",
]
/**
 * Each file has a server of its own; the process and what it imports are shared. A command is a process of its own, which
 * takes its time on a busy machine.
 */
const SERVED = ["packages/{cli,client,mcp}/test/**/*.test.ts", "test/http/**/*.test.ts"]
/** The same, with a browser for all files of a process. */
const PAGE = ["test/e2e/**/*.test.ts"]
const ALL = [
  "packages/*/src/**/*.test.{ts,tsx}",
  "packages/*/test/**/*.test.{ts,tsx}",
  "test/**/*.test.ts",
  "examples/**/*.test.ts",
]

/** A busy machine is late, not wrong. */
const patience = (timeout: number) => ({ poll: { timeout, interval: 25 } })
const together = { isolate: false, setupFiles: ["test/support/left-clean.ts"] }

export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    maxWorkers: 2,
    teardownTimeout: 15_000,
    silent: "passed-only",
    sequence: { sequencer: LongestFirst },
    projects: [
      project("alone", { include: ALL, exclude: ["**/node_modules/**", ...PAGE, ...SERVED, ...SHARED] }),
      project("page", { include: PAGE, ...together, testTimeout: 120_000, expect: patience(20_000) }),
      project("served", { include: SERVED, ...together, testTimeout: 60_000 }),
      project("shared", { include: SHARED, ...together }),
    ],
  },
})

function project(
  name: string,
  test: NonNullable<TestProjectInlineConfiguration["test"]>,
): TestProjectInlineConfiguration {
  return {
    resolve: { conditions: [SOURCE, ...defaultClientConditions] },
    ssr: { resolve: { conditions: [SOURCE, ...defaultServerConditions] } },
    test: {
      name,
      environment: "node",
      pool: "forks",
      testTimeout: 20_000,
      hookTimeout: 60_000,
      expect: patience(8_000),
      ...test,
    },
  }
}
