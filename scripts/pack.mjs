/**
 * `npm run pack`: builds, and writes every package as a tarball for `npm publish` or `npm install`.
 *
 *   npm run pack                              into packed/
 *   npm run pack -- --output <folder>
 *   npm run pack -- --scope @example          under another scope (scripts/pack/identity.mjs has the usual one)
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { packages } from "./pack/package-files.mjs"
import { ensureBuilt, ensureInstalled, root, StepFailed, script } from "./setup.mjs"

/**
 * Writes the tarballs and returns their paths by package name.
 *
 * @param {string} output
 * @param {{ scope?: string }} [options]
 * @returns {Map<string, string>}
 */
export function pack(output, options = {}) {
  const staging = mkdtempSync(join(tmpdir(), "parlor-pack-"))
  try {
    const packed = packages(options)
    for (const { folder, files } of packed)
      for (const [path, bytes] of files) {
        const file = join(staging, folder, path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, bytes, { mode: bytes.subarray(0, 2).toString() === "#!" ? 0o755 : 0o644 })
      }
    mkdirSync(output, { recursive: true })
    const folders = packed.map(({ folder }) => join(staging, folder))
    const args = ["pack", "--json", "--loglevel=error", "--ignore-scripts", "--pack-destination", output, ...folders]
    const run = spawnSync("npm", args, { encoding: "utf8", cwd: staging, maxBuffer: 64 * 1024 * 1024 })
    if (run.status !== 0) throw new StepFailed(`npm pack failed.\n${run.stderr}`)
    /** @type {{ name: string, filename: string, files: { path: string }[] }[]} */
    const written = JSON.parse(run.stdout)
    for (const { name, files } of written)
      checkList(
        name,
        files.map(({ path }) => path),
        packed,
      )
    return new Map(written.map(({ name, filename }) => [name, join(output, filename)]))
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/**
 * npm adds and leaves out files by rules of its own: the tarball must contain exactly what was meant.
 *
 * @param {string} name
 * @param {string[]} paths
 * @param {import("./pack/package-files.mjs").PackedPackage[]} packed
 */
function checkList(name, paths, packed) {
  const meant = packed.find(({ manifest }) => manifest.name === name)?.files ?? new Map()
  const missing = [...meant.keys()].filter((path) => !paths.includes(path))
  const extra = paths.filter((path) => !meant.has(path))
  if (missing.length > 0 || extra.length > 0)
    throw new StepFailed(
      `${name}: missing ${missing.join(", ") || "nothing"}; unexpected ${extra.join(", ") || "nothing"}`,
    )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await script(async () => {
    const { values } = parseArgs({ options: { output: { type: "string" }, scope: { type: "string" } } })
    await ensureInstalled()
    await ensureBuilt({ web: true })
    const scope = values.scope === undefined ? {} : { scope: values.scope }
    for (const path of pack(resolve(values.output ?? join(root, "packed")), scope).values()) console.log(path)
  })
}
