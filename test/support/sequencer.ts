/**
 * The order of test files. Long ones run first, so that none runs alone at the end while other cores are idle. Files that
 * share a process run in sequence, because only consecutive files can share one; the many short ones run last.
 */
import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Longest first; only the order matters. */
const LONG = [
  "test/faults/nemesis.test.ts",
  "test/simulation/simulation.test.ts",
  "test/faults/kill.test.ts",
  "test/attack/",
  "test/faults/import-kill.test.ts",
  "test/openapi/",
  "test/simulation/simulation-2.test.ts",
  "test/faults/resume.test.ts",
  "test/faults/fsync.test.ts",
  "test/conformance/durable-streams.test.ts",
  "test/providers/streams.test.ts",
  "test/faults/postgres-restart.test.ts",
  "test/trigger/year.test.ts",
  "test/e2e/",
  "packages/store/src/postgres/",
  "test/faults/",
  "packages/cli/test/",
  "packages/mcp/test/",
  "packages/client/test/",
  "test/http/",
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => this.#rank(a) - this.#rank(b))
  }

  #rank({ moduleId, project }: TestSpecification): number {
    const path = relative(this.ctx.config.root, moduleId).replaceAll("\\", "/")
    const place = LONG.findIndex((start) => path.startsWith(start))
    if (place >= 0) return place
    return project.config.isolate ? LONG.length : LONG.length + 1
  }
}
