/** What the packages for front-ends weigh in a page: everything they export, minified and gzipped. */
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { build, defaultClientConditions } from "vite"
import { root } from "./setup.mjs"

/** In kB of 1,000 bytes. What is external is counted elsewhere. */
const BUDGETS = [
  { name: "client", maxKb: 15.2, external: [] },
  { name: "client/composer", maxKb: 4, external: [] },
  { name: "react", maxKb: 4, external: ["react", "@parlor/client", "@parlor/client/composer"] },
]

const sizes = []
for (const { name, maxKb, external } of BUDGETS)
  sizes.push({ name, maxKb, kb: (await bundledBytes(name, external)) / 1_000 })
if (sizes.some(({ kb, maxKb }) => kb > maxKb)) process.exitCode = 1
console.log(`sizes: ${sizes.map(({ name, kb, maxKb }) => `${name} ${kb.toFixed(1)} of ${maxKb} kB`).join(", ")}`)

/**
 * @param {string} name
 * @param {string[]} external
 */
async function bundledBytes(name, external) {
  const [folder = "", entry = "index"] = name.split("/")
  const input = join(root, "packages", folder, "src", `${entry}.ts`)
  const built = await build({
    root,
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["@parlor/source", ...defaultClientConditions] },
    build: {
      write: false,
      target: "es2023",
      modulePreload: false,
      rolldownOptions: { input, external, preserveEntrySignatures: "strict" },
    },
  })
  if (!("output" in built)) throw new Error("one bundle was expected")
  return built.output.reduce(
    (sum, part) => sum + (part.type === "chunk" ? gzipSync(part.code, { level: 9 }).length : 0),
    0,
  )
}
