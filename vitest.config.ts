import { defaultClientConditions, defaultServerConditions } from "vite"
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config"
import { LongestFirst } from "./test/support/sequencer.ts"

/** Workspace packages are tested from their TypeScript sources, not from what the last build left. */
const SOURCE = "@parlor/source"

/**
 * Tests of pure modules and of scenarios on a fake clock: nothing but memory, so many files share a process and what they
 * import. They run first: most mistakes show here within a minute.
 */
const UNIT = [
  "packages/{acp,adapters,agent,cli,client,core,mcp,models,protocol,react,server,testing,web}/src/**/*.test.{ts,tsx}",
  "test/scenario/**/*.test.ts",
]
/**
 * Each file has a server of its own; the process and what it imports are shared. A command is a process of its own, which
 * takes its time on a busy machine.
 */
const SERVED = [
  "examples/**/*.test.ts",
  "packages/{acp,cli,client,mcp}/test/**/*.test.ts",
  "test/{hosting,http,interop,nodes,providers,rollback,tooling,trigger,types}/**/*.test.ts",
]
/** The same, with a browser for all files of a process. */
const PAGE = ["test/e2e/**/*.test.ts"]
/** One suite for each port, on every adapter of it. */
const CONTRACT = ["packages/{files,store}/{src,test}/**/*.test.ts"]
/** Everything else: long tests, and tests that need a process to themselves. */
const ALL = ["packages/*/{src,test}/**/*.test.{ts,tsx}", "test/**/*.test.ts"]

/** Generous timeouts for slow CI. */
const SLOW_MS = 60_000
const patience = (timeout: number) => ({ poll: { timeout, interval: 25 } })
const PATIENT = "test/support/patience.ts"
const together = { isolate: false, setupFiles: [PATIENT, "test/support/left-clean.ts"] }

/** Calculations keep a core busy. */
const BUSY = 2
/** Tests of stores, processes, nodes and pages wait most of their time: more of them than cores keep two cores busy. */
const WAITING = 3

/** Tiers run one after the other; within one, the sequencer decides. */
function tier(groupOrder: number, maxWorkers: number) {
  return { sequence: { groupOrder }, maxWorkers }
}

export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    teardownTimeout: 15_000,
    silent: "passed-only",
    sequence: { sequencer: LongestFirst },
    projects: [
      project("unit", { include: UNIT, ...together, ...tier(1, BUSY) }),
      project("contract", { include: CONTRACT, testTimeout: SLOW_MS, ...tier(2, WAITING) }),
      project("alone", {
        include: ALL,
        exclude: ["**/node_modules/**", ...CONTRACT, ...PAGE, ...SERVED, ...UNIT],
        testTimeout: SLOW_MS,
        ...tier(3, WAITING),
      }),
      project("served", { include: SERVED, ...together, testTimeout: SLOW_MS, ...tier(3, WAITING) }),
      project("page", {
        include: PAGE,
        ...together,
        testTimeout: 120_000,
        expect: patience(20_000),
        ...tier(3, WAITING),
      }),
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
      setupFiles: [PATIENT],
      ...test,
    },
  }
}
