/** `parlor init`: creates a small project with an agent, a skill and a test. */
import { existsSync } from "node:fs"
import { copyFile, mkdir, constants as modes, readdir } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { Complaint } from "../explain.ts"
import type { Terminal } from "../terminal.ts"

/** Beside `src` in the repository, beside `dist` when installed. */
const TEMPLATE = fileURLToPath(new URL("../../template", import.meta.url))
/** npm leaves a file of its real name out of packages. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: ".gitignore" }

export async function init(folder: string, options: { readonly terminal: Terminal }): Promise<number> {
  const target = resolve(folder)
  const files = await templateFiles()
  const taken = files.map(({ to }) => to).filter((path) => existsSync(join(target, path)))
  if (taken.length > 0)
    throw new Complaint(`${target} already contains ${taken.join(", ")}. Nothing was written. Choose another folder.`)
  for (const { from, to } of files) {
    await mkdir(dirname(join(target, to)), { recursive: true })
    // Files created since the check are not overwritten either.
    await copyFile(join(TEMPLATE, from), join(target, to), modes.COPYFILE_EXCL)
  }
  const way = relative(process.cwd(), target)
  const made = [`Created in ${target}:`, ...files.map(({ to }) => `  ${to}`)]
  const next = ["Next:", ...(way === "" ? [] : [`  cd ${way}`]), "  parlor serve", "  parlor chat barista"]
  await options.terminal.out(`${made.join("\n")}\n\n${next.join("\n")}\n`)
  return 0
}

async function templateFiles(): Promise<readonly { readonly from: string; readonly to: string }[]> {
  const entries = await readdir(TEMPLATE, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(TEMPLATE, join(entry.parentPath, entry.name)))
  return paths.sort().map((path) => ({ from: path, to: RENAMED[path] ?? path }))
}
