/** The recommended rules of two linters; a line for each problem of any severity. */
import { createConfig, lintFromString } from "@redocly/openapi-core"
import spectralCore, { type RulesetDefinition } from "@stoplight/spectral-core"
import spectralRulesets from "@stoplight/spectral-rulesets"
import type { OpenApi } from "./defects.ts"

export async function lint(document: OpenApi): Promise<readonly string[]> {
  return [...(await redocly(document)), ...(await spectral(document))]
}

async function redocly(document: OpenApi): Promise<readonly string[]> {
  const config = await createConfig({ extends: ["recommended"] })
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "/openapi.json", config })
  return problems.map(({ ruleId, message, location }) => `redocly ${ruleId}: ${message} ${location[0]?.pointer}`)
}

async function spectral(document: OpenApi): Promise<readonly string[]> {
  const linter = new spectralCore.Spectral()
  linter.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, "recommended"]] })
  const problems = await linter.run(document as unknown as Record<string, unknown>)
  return problems.map(({ code, message, path }) => `spectral ${code}: ${message} ${path.join("/")}`)
}
