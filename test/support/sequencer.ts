/**
 * The order of test files. Long ones run first, so that none runs alone at the end while other cores are idle. Files that
 * share a process run in sequence, because only consecutive files can share one; the many short ones run last.
 */
import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Longest first; only the order matters. Files of one project stay together. */
const LONG = [
  "test/faults/nemesis.test.ts",
  "test/attack/",
  "test/simulation/simulation.test.ts",
  "test/conformance/durable-streams.test.ts",
  "test/faults/kill.test.ts",
  "test/faults/fsync.test.ts",
  "test/simulation/simulation-2.test.ts",
  "test/faults/power-loss.test.ts",
  "test/faults/postgres-restart.test.ts",
  "test/faults/resume.test.ts",
  "test/faults/",
  "test/openapi/",
  "test/conformance/",
  "test/simulation/",
  "test/e2e/",
  "test/trigger/year.test.ts",
  "test/rollback/",
  "packages/cli/test/",
  "packages/mcp/test/",
  "test/http/sealed.test.ts",
  "test/interop/",
  "test/providers/",
  "test/nodes/",
  "test/trigger/",
  "packages/client/test/",
  "test/http/",
  "packages/store/src/postgres/",
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
