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
const ALL = [
  "packages/*/src/**/*.test.{ts,tsx}",
  "packages/*/test/**/*.test.{ts,tsx}",
  "test/**/*.test.ts",
  "examples/**/*.test.ts",
]

export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    maxWorkers: 2,
    teardownTimeout: 15_000,
    silent: "passed-only",
    sequence: { sequencer: LongestFirst },
    projects: [
      project("alone", { include: ALL, exclude: ["**/node_modules/**", ...SHARED] }),
      project("shared", { include: SHARED, isolate: false, setupFiles: ["test/support/left-clean.ts"] }),
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
      // A busy machine is late, not wrong.
      expect: { poll: { timeout: 8_000, interval: 25 } },
      ...test,
    },
  }
}
