/** What axe-core finds on a page that stands in somebody's way: serious and critical issues, one line each. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** A tab's name begins with its title, as what is seen does, and tells less of what follows. */
const LEFT_OUT = ["label-content-name-mismatch"]

type Violation = {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary: string }[]
}

/** All rules, or just these. */
export async function barriers(page: Page, only: readonly string[] = []): Promise<readonly string[]> {
  // The page's policy lets no script in, and does not count for what the debugger evaluates.
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(source)
  await settled(page)
  const options = {
    resultTypes: ["violations"],
    // Only a rule about turned screens would need the style sheets once more.
    preload: false,
    rules: Object.fromEntries(LEFT_OUT.map((rule) => [rule, { enabled: false }])),
    ...(only.length > 0 ? { runOnly: { type: "rule", values: only } } : {}),
  }
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as readonly Violation[]
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")} (${reason(node.failureSummary)})`))
}

/** What is fading in, or changing its colours, has not got them yet: two frames, then the end of what moves. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
    await new Promise(requestAnimationFrame)
  })
}

function reason(summary: string): string {
  return summary.split("\n").slice(1).join(" ").trim().slice(0, 160)
}
