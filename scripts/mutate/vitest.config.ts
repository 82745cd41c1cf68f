import { readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { defaultClientConditions, defaultServerConditions, type Plugin } from "vite"
import { defineConfig } from "vitest/config"
import { instrument } from "./instrument.ts"
import { root, sources } from "./scope.ts"

const SOURCE = "@parlor/source"
const FEWER_RUNS = "scripts/mutate/fewer-runs.ts"
const mutated: ReadonlySet<string> = new Set(sources())

/** One long-lived process, in which `runner.ts` runs the tests of one mutant after another. */
export default defineConfig({
  root,
  plugins: [mutate()],
  resolve: { conditions: [SOURCE, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [SOURCE, ...defaultServerConditions] } },
  test: {
    name: "mutate",
    include: ["scripts/mutate/start.test.ts"],
    setupFiles: ["test/support/left-clean.ts"],
    runner: "scripts/mutate/runner.ts",
    environment: "node",
    pool: "forks",
    maxWorkers: 1,
    isolate: false,
    silent: true,
    // How long each test may wait for something that a mutant never does.
    testTimeout: 6_000,
    hookTimeout: 6_000,
    expect: { poll: { timeout: 3_000, interval: 25 } },
  },
})

function mutate(): Plugin {
  return {
    name: "mutate",
    enforce: "pre",
    resolveId(id, importer) {
      return id === "fast-check" && !importer?.endsWith(FEWER_RUNS) ? join(root, FEWER_RUNS) : null
    },
    load(id) {
      const file = relative(root, id).split(sep).join("/")
      return mutated.has(file) ? instrument(file, readFileSync(id, "utf8")).code : null
    },
  }
}
