/** Serious and critical accessibility issues that axe-core finds on a page, one line each. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

type Violation = {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary: string }[]
}

/** All rules, or only these. */
export async function barriers(page: Page, only: readonly string[] = []): Promise<readonly string[]> {
  // The page's content security policy blocks scripts, but does not apply to `evaluate`.
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(source)
  await settled(page)
  const options = {
    resultTypes: ["violations"],
    // Only a rule about screen orientation would need to load the style sheets again.
    preload: false,
    // Off by default: people who speak commands say what they see.
    rules: { "label-content-name-mismatch": { enabled: true } },
    ...(only.length > 0 ? { runOnly: { type: "rule", values: only } } : {}),
  }
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as readonly Violation[]
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")} (${reason(node.failureSummary)})`))
}

/** Waits two frames and for the end of all animations: elements that fade in do not have their final colors yet. */
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
