import { defaultClientConditions, defaultServerConditions } from "vite"
import { defineConfig } from "vitest/config"

/** Workspace packages are tested from their TypeScript sources, not from what the last build left. */
const SOURCE = "@parlor/source"

export default defineConfig({
  resolve: { conditions: [SOURCE, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [SOURCE, ...defaultServerConditions] } },
  test: {
    include: [
      "packages/*/src/**/*.test.{ts,tsx}",
      "packages/*/test/**/*.test.{ts,tsx}",
      "test/**/*.test.ts",
      "examples/**/*.test.ts",
    ],
    globalSetup: ["test/support/global-setup.ts"],
    environment: "node",
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 15_000,
    silent: "passed-only",
  },
})
