/** Skills on disk: folders with a SKILL.md, in the Agent Skills format (CMP-11). */

import { readdir, readFile, stat } from "node:fs/promises"
import { basename, join, relative, sep } from "node:path"
import { FrontMatterError, parseSkill, type Skill } from "@parlor/core"
import { sizeWords } from "@parlor/protocol"
import { ConfigError } from "../config-error.ts"

const SKILL_FILE = "SKILL.md"
const MAX_SKILLS = 200
const MAX_FILE_BYTES = 256 * 1024
const MAX_SKILL_BYTES = 2 * 1024 * 1024
const MAX_FILES = 200
const MAX_DEPTH = 6

export type ReadSkills = {
  readonly skills: readonly Skill[]
  /** Every folder that was read: a change in one may change the skills. */
  readonly folders: readonly string[]
}

/** `folder` is a skill, or contains skills. Sorted by name. */
export async function readSkills(folder: string): Promise<ReadSkills> {
  const entries = await listed(folder)
  if (entries.some((entry) => entry.name === SKILL_FILE)) {
    const { skill, folders } = await readSkill(folder)
    return { skills: [skill], folders }
  }
  const names: string[] = []
  for (const entry of entries) {
    // A skill folder may be a symbolic link; links inside a skill are not followed.
    const isFolder = entry.isSymbolicLink() ? await leadsToFolder(join(folder, entry.name)) : entry.isDirectory()
    if (isFolder && !entry.name.startsWith(".")) names.push(entry.name)
  }
  if (names.length > MAX_SKILLS) throw new ConfigError(`${folder} contains more than ${MAX_SKILLS} folders.`)
  const skills: Skill[] = []
  const folders = [folder]
  for (const name of names.sort()) {
    const inner = join(folder, name)
    folders.push(inner)
    if (!(await listed(inner)).some((entry) => entry.name === SKILL_FILE)) continue
    const read = await readSkill(inner)
    skills.push(read.skill)
    folders.push(...read.folders.slice(1))
  }
  return { skills, folders }
}

async function leadsToFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}

async function readSkill(folder: string): Promise<{ readonly skill: Skill; readonly folders: readonly string[] }> {
  const file = join(folder, SKILL_FILE)
  const head = parsed(file, await textOf(file), basename(folder))
  const files: Record<string, string> = {}
  const folders: string[] = []
  let bytes = 0
  const walk = async (inner: string, depth: number): Promise<void> => {
    folders.push(inner)
    for (const entry of (await listed(inner)).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(inner, entry.name)
      if (entry.name.startsWith(".") || path === file) continue
      if (entry.isDirectory() && depth < MAX_DEPTH) await walk(path, depth + 1)
      if (!entry.isFile()) continue
      const text = await plainText(path)
      if (text === undefined) continue
      bytes += text.length
      if (bytes > MAX_SKILL_BYTES || Object.keys(files).length >= MAX_FILES)
        throw new ConfigError(`${folder}: a skill has at most ${MAX_FILES} files and ${MAX_SKILL_BYTES} characters.`)
      files[relative(folder, path).split(sep).join("/")] = text
    }
  }
  await walk(folder, 0)
  return { skill: { ...head, files }, folders }
}

function parsed(file: string, text: string, folder: string): Omit<Skill, "files"> {
  try {
    return parseSkill(text, folder)
  } catch (error) {
    if (error instanceof FrontMatterError) throw new ConfigError(`${file}:${error.line}: ${error.message}.`)
    throw error
  }
}

async function textOf(file: string): Promise<string> {
  const text = await plainText(file)
  if (text !== undefined) return text
  throw new ConfigError(`${file} is not a text file of at most ${sizeWords(MAX_FILE_BYTES)}.`)
}

/** Returns undefined for binary files and for files that are too long. */
async function plainText(file: string): Promise<string | undefined> {
  if ((await stat(file)).size > MAX_FILE_BYTES) return undefined
  const bytes = await readFile(file)
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return text.includes("\u0000") ? undefined : text
  } catch {
    return undefined
  }
}

async function listed(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    throw new ConfigError(`There is no folder ${folder}.`, { cause: error })
  }
}
