/**
 * Creates a project with an agent, a skill and a test.
 *
 * It never overwrites a file. Of the files that a project may already have, `package.json` gets what it lacks, and the
 * others stay as they are.
 */
import { existsSync } from "node:fs"
import { copyFile, mkdir, constants as modes, readdir, readFile, writeFile } from "node:fs/promises"
import { basename, dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { type Manifest, manifestFor, withMissing } from "./manifest.ts"

/** Beside `src` in the repository, beside `dist` when installed. */
const TEMPLATE = fileURLToPath(new URL("../template", import.meta.url))
/** npm leaves a file of its real name out of packages. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: ".gitignore" }
/** Files that an existing project keeps. */
const KEPT = new Set([".gitignore", "README.md", "tsconfig.json"])
const MANIFEST = "package.json"

export type Created = {
  readonly folder: string
  /** Paths of the new files, sorted. */
  readonly created: readonly string[]
  /** What `package.json` got, if there was one: `scripts.start`, `dependencies.zod`. */
  readonly added: readonly string[]
  /** Files that were there and stay as they are. */
  readonly kept: readonly string[]
}

/** The folder already contains files that the project needs. Nothing was written. */
export class ProjectExists extends Error {}

export async function createProject(folder: string): Promise<Created> {
  const target = resolve(folder)
  const files = await templateFiles()
  const there = files.filter(({ to }) => existsSync(join(target, to))).map(({ to }) => to)
  const taken = there.filter((path) => path !== MANIFEST && !KEPT.has(path))
  if (taken.length > 0)
    throw new ProjectExists(
      `${target} already contains ${taken.join(", ")}. Nothing was written. Choose another folder.`,
    )
  const added = await writeManifest(target, there.includes(MANIFEST))
  const copied = files.filter(({ to }) => to !== MANIFEST && !there.includes(to))
  for (const { from, to } of copied) {
    await mkdir(dirname(join(target, to)), { recursive: true })
    // Files created since the check are not overwritten either.
    await copyFile(join(TEMPLATE, from), join(target, to), modes.COPYFILE_EXCL)
  }
  return {
    folder: target,
    created: [...(there.includes(MANIFEST) ? [] : [MANIFEST]), ...copied.map(({ to }) => to)].sort(),
    added,
    kept: there.filter((path) => path !== MANIFEST),
  }
}

/** What to tell the person, as lines. */
export function createdLines({ folder, created, added, kept }: Created, cwd: string): readonly string[] {
  const way = relative(cwd, folder)
  return [
    `Created in ${folder}:`,
    ...created.map((path) => `  ${path}`),
    ...(added.length === 0 ? [] : [`Added to package.json: ${added.join(", ")}`]),
    ...(kept.length === 0 ? [] : [`Left as they are: ${kept.join(", ")}`]),
    "",
    "Next:",
    ...(way === "" ? [] : [`  cd ${way}`]),
    "  npm install",
    "  npm start",
  ]
}

async function writeManifest(target: string, isThere: boolean): Promise<readonly string[]> {
  const path = join(target, MANIFEST)
  const wanted = manifestFor(await readJson(join(TEMPLATE, MANIFEST)), {
    name: basename(target),
    version: await ownVersion(),
  })
  if (!isThere) {
    await mkdir(target, { recursive: true })
    await writeFile(path, toText(wanted), { flag: "wx" })
    return []
  }
  const { manifest, added } = withMissing(await readJson(path), wanted)
  if (added.length > 0) await writeFile(path, toText(manifest))
  return added
}

async function ownVersion(): Promise<string> {
  const { version } = await readJson(fileURLToPath(new URL("../package.json", import.meta.url)))
  return String(version)
}

async function readJson(path: string): Promise<Manifest> {
  const text = await readFile(path, "utf8")
  try {
    return JSON.parse(text) as Manifest
  } catch {
    throw new ProjectExists(`${path} is not valid JSON. Nothing was written.`)
  }
}

function toText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`
}

async function templateFiles(): Promise<readonly { readonly from: string; readonly to: string }[]> {
  const entries = await readdir(TEMPLATE, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(TEMPLATE, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
  return paths.sort().map((path) => ({ from: path, to: RENAMED[path] ?? path }))
}
