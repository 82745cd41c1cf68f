/**
 * Checks that every package can be published: publint, are-the-types-wrong, and a list of what it must and may contain.
 * Needs the build.
 */
import { fileURLToPath } from "node:url"
import { checkPackage, Package } from "@arethetypeswrong/core"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { packages } from "./pack/package-files.mjs"
import { script } from "./setup.mjs"

const MUST_HAVE = ["package.json", "README.md", "LICENSE"]
/** Everything else is a mistake: sources, tests, maps, notes. */
const MAY_HAVE = [
  /^(?:package\.json|README\.md|LICENSE)$/,
  /^dist\/(?!.*\.test\.)[\w/.-]+\.(?:js|d\.ts)$/,
  /^bundle\/[\w.-]+\.js$/,
]
/** @type {Readonly<Record<string, readonly RegExp[]>>} */
const MORE = {
  agent: [/^skills\/[\w-]+\/[\w.-]+\.md$/],
  create: [/^template\/[\w/.-]+$/],
  web: [
    /^page\.(?:js|d\.ts)$/,
    /^dist\/[\w-]+\.(?:html|js|svg|png|json|webmanifest)(?:\.br|\.gz)?$/,
    /^dist\/assets\/[\w.-]+$/,
  ],
}
/** The packages are ESM only, so these two ways to resolve them are not offered. */
const NOT_OFFERED = new Set(["node10", "node16-cjs"])
/** Half of the page is the drawing of diagrams, which is loaded with the first one. */
const MAX_PACKAGE_BYTES = 12 * 1024 * 1024

/**
 * One sentence per problem.
 *
 * @param {import("./pack/package-files.mjs").PackedPackage} packed
 * @returns {Promise<string[]>}
 */
export async function checkPacked({ folder, manifest, files }) {
  return [
    ...checkFiles(folder, files),
    ...(await checkWithPublint(manifest, files)),
    ...(await checkTypes(manifest, files)),
  ].map((sentence) => `packages/${folder}: ${sentence}`)
}

/**
 * @param {string} folder
 * @param {ReadonlyMap<string, Buffer>} files
 */
function checkFiles(folder, files) {
  const allowed = [...MAY_HAVE, ...(MORE[folder] ?? [])]
  const bytes = [...files.values()].reduce((sum, file) => sum + file.length, 0)
  return [
    ...MUST_HAVE.filter((path) => !files.has(path)).map((path) => `${path} is missing`),
    ...[...files.keys()]
      .filter((path) => !allowed.some((pattern) => pattern.test(path)))
      .map((path) => `${path} should not be published (scripts/packages.mjs lists what may be)`),
    ...(bytes > MAX_PACKAGE_BYTES ? [`has ${bytes} bytes, more than ${MAX_PACKAGE_BYTES}`] : []),
  ]
}

/**
 * @param {import("./pack/package-files.mjs").Manifest} manifest
 * @param {ReadonlyMap<string, Buffer>} files
 */
async function checkWithPublint(manifest, files) {
  const data = [...files].map(([path, bytes]) => ({ name: `package/${path}`, data: new Uint8Array(bytes) }))
  const { messages } = await publint({ pkgDir: "package", pack: { files: data }, strict: true })
  return messages.map((message) => `publint: ${formatMessage(message, manifest) ?? message.code}`)
}

/**
 * @param {import("./pack/package-files.mjs").Manifest} manifest
 * @param {ReadonlyMap<string, Buffer>} files
 */
async function checkTypes({ name, version, exports: entries }, files) {
  if (entries === undefined) return []
  const inModules = Object.fromEntries(
    [...files].map(([path, bytes]) => [`/node_modules/${name}/${path}`, new Uint8Array(bytes)]),
  )
  const result = await checkPackage(new Package(inModules, name, version), { excludeEntrypoints: ["./package.json"] })
  if (result.types === false) return ["are-the-types-wrong: it contains no types"]
  return result.problems
    .filter((problem) => !("resolutionKind" in problem && NOT_OFFERED.has(problem.resolutionKind)))
    .filter((problem) => problem.kind !== "CJSResolvesToESM")
    .map((problem) => `are-the-types-wrong: ${JSON.stringify(problem)}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await script(async () => {
    const all = packages()
    const wrong = (await Promise.all(all.map(checkPacked))).flat()
    for (const sentence of wrong) console.error(sentence)
    console.log(`packages: ${all.length} packages, ${wrong.length} wrong`)
    if (wrong.length > 0) process.exitCode = 1
  })
}
