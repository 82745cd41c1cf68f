/** Memories as files in a folder: `user/<name>.md` and `project/<name>.md` (MEM-7). */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { limits, type MemoryScope, memoryName, sizeWords } from "@parlor/protocol"
import { Complaint } from "./complaint.ts"
import { type FileMemory, parseMemory, printMemory } from "./memory-file.ts"

export const MEMORY_FOLDER = join(".agents", "memory")

/** A body plus the largest possible front matter. */
const FILE_BYTES = limits.memoryBodyBytes + 8 * 1024

export type FoundMemory = FileMemory & { readonly scope: MemoryScope }

export type FolderRead = {
  readonly memories: readonly FoundMemory[]
  /** One error for each invalid file. */
  readonly problems: readonly string[]
}

export async function readMemories(folder: string, scopes: readonly MemoryScope[]): Promise<FolderRead> {
  const memories: FoundMemory[] = []
  const problems: string[] = []
  for (const scope of scopes) {
    const names = await namesIn(join(folder, scope))
    if (names.length > limits.memoriesPerScope)
      throw new Complaint(
        `${join(folder, scope)} has too many files (${names.length}). The maximum is ${limits.memoriesPerScope}.`,
      )
    for (const name of names) {
      try {
        memories.push({ scope, ...(await readMemory(join(folder, scope, `${name}.md`), name)) })
      } catch (error) {
        problems.push(error instanceof Error ? error.message : String(error))
      }
    }
  }
  return { memories, problems }
}

/** Unchanged files are not written. */
export async function writeMemory(folder: string, memory: FoundMemory): Promise<"written" | "same"> {
  // The name becomes a path, and the server is not trusted with paths.
  if (!memoryName.safeParse(memory.name).success) throw new Complaint(`"${memory.name}" is not a valid file name.`)
  const file = fileOf(folder, memory)
  const text = printMemory(memory)
  if ((await readFile(file, "utf8").catch(() => undefined)) === text) return "same"
  const part = `${file}.part`
  try {
    await mkdir(join(folder, memory.scope), { recursive: true })
    await writeFile(part, text)
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw new Complaint(`${file} cannot be written: ${reason(error)}`)
  }
  return "written"
}

/** The files of a scope that belong to none of these names. */
export async function otherFiles(
  folder: string,
  scope: MemoryScope,
  names: ReadonlySet<string>,
): Promise<readonly OtherFile[]> {
  const others = (await namesIn(join(folder, scope))).filter((name) => !names.has(name))
  return others.map((name) => ({ scope, name, file: fileOf(folder, { scope, name }) }))
}

export type OtherFile = { readonly scope: MemoryScope; readonly name: string; readonly file: string }

async function readMemory(file: string, name: string): Promise<FileMemory> {
  let text: string
  try {
    const { size } = await stat(file)
    if (size > FILE_BYTES) throw new Error(`too large (${sizeWords(size)}), the maximum is ${sizeWords(FILE_BYTES)}`)
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(file))
  } catch (error) {
    throw new Complaint(`${file}:1: The file cannot be read: ${reason(error)}.`)
  }
  return parseMemory(text, { file, name })
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const files = await readdir(folder)
    return files
      .filter((file) => file.endsWith(".md"))
      .map((file) => file.slice(0, -".md".length))
      .sort()
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return []
    throw new Complaint(`${folder} cannot be read: ${reason(error)}`)
  }
}

function fileOf(folder: string, { scope, name }: { readonly scope: MemoryScope; readonly name: string }): string {
  return join(folder, scope, `${name}.md`)
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
