/** Generates a client with each of the generators, as their users do. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { createClient } from "@hey-api/openapi-ts"
import openapiTypescript, { astToString } from "openapi-typescript"
import { generate as generateByOrval } from "orval"
import type { OpenApi } from "./defects.ts"

export type Generating = { readonly folder: string; readonly baseUrl: string }

export async function generate(document: OpenApi, { folder, baseUrl }: Generating): Promise<void> {
  const text = JSON.stringify(document)
  const file = join(folder, "openapi.json")
  writeFileSync(file, text)
  writeFileSync(join(folder, "openapi-typescript.ts"), astToString(await openapiTypescript(text)))
  await createClient({
    input: file,
    output: join(folder, "hey-api"),
    plugins: ["@hey-api/client-fetch"],
    logs: { level: "silent" },
  })
  // Otherwise orval reads this repository's, whose version of TypeScript it does not know.
  const packageJson = join(folder, "package.json")
  writeFileSync(packageJson, JSON.stringify({ type: "module", devDependencies: { typescript: "5.9.3" } }))
  const target = join(folder, "orval", "parlor.ts")
  const output = { target, client: "fetch", mode: "single", baseUrl, packageJson } as const
  await generateByOrval({ input: { target: file }, output }, folder, {})
}
