/**
 * Writes one line of JSON for every finished test file, so that an interrupted run can still report what passed and
 * failed. `scripts/test.mjs` reads it.
 */
import { appendFileSync, writeFileSync } from "node:fs"
import { relative } from "node:path"
import type { Reporter, TestModule, TestSpecification } from "vitest/node"

export default class ProgressReporter implements Reporter {
  readonly #path = process.env.PARLOR_TEST_PROGRESS

  onTestRunStart(files: readonly TestSpecification[]): void {
    if (this.#path !== undefined) writeFileSync(this.#path, `${JSON.stringify({ files: files.length })}\n`)
  }

  onTestModuleEnd(module: TestModule): void {
    if (this.#path === undefined) return
    const tests = [...module.children.allTests()]
    const states = tests.map((one) => one.result().state)
    const line = {
      file: relative(process.cwd(), module.moduleId),
      ms: Math.round(module.diagnostic().duration),
      passed: states.filter((state) => state === "passed").length,
      skipped: states.filter((state) => state === "skipped").length,
      // A test whose process died has neither passed nor failed.
      failed: tests.filter((one) => !["passed", "skipped"].includes(one.result().state)).map((one) => one.fullName),
      // A file that cannot be loaded fails without failing any test in it.
      broken: module.state() === "failed" && !states.includes("failed"),
    }
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`)
  }
}
