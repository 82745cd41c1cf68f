/** `parlor memory export | import`: memories as markdown files that can be read, edited and committed (MEM-7). */
import { readFile, rm } from "node:fs/promises"
import { type Memories, ParlorError } from "@parlor/client"
import { limits, type Memory, type MemoryScope, memoryScope, sizeWords, utf8Bytes } from "@parlor/protocol"
import { Complaint } from "../complaint.ts"
import { exitCodes } from "../exit-codes.ts"
import { hashOf, readRecord, writeRecord } from "../export-record.ts"
import { printMemory } from "../memory-file.ts"
import { type FoundMemory, type OtherFile, otherFiles, readMemories, writeMemory } from "../memory-folder.ts"
import { plain } from "../plain.ts"
import { connect } from "../settings.ts"
import { type MemoryOptions, scopeOf } from "./memory.ts"

export async function exportFiles(
  folder: string,
  options: MemoryOptions & { readonly prune?: boolean },
): Promise<number> {
  const { terminal } = options
  const scopes = scopesOf(options.scope)
  const memories = await allOf(connect(options).memory, scopes)
  const record = new Map(Object.entries(await readRecord(folder)))
  const outcomes = []
  for (const memory of memories) {
    outcomes.push(await writeMemory(folder, memory))
    record.set(nameIn(memory), hashOf(printMemory(memory)))
  }
  const written = outcomes.filter((outcome) => outcome === "written").length
  const unchanged = outcomes.length - written
  await terminal.report(`Wrote ${files(written)} to ${folder}; ${unchanged} unchanged.`, { folder, written, unchanged })
  for (const scope of scopes) {
    const names = new Set(memories.filter((memory) => memory.scope === scope).map(({ name }) => name))
    for (const other of await otherFiles(folder, scope, names)) {
      const words = await pruned(other, record, options.prune ?? false)
      terminal.note(plain(words))
    }
  }
  if (record.size > 0) await writeRecord(folder, Object.fromEntries(record))
  return 0
}

/** Removes a file that an export wrote and that is unchanged since. Returns what happened to it. */
async function pruned(other: OtherFile, record: Map<string, string>, prune: boolean): Promise<string> {
  const { file } = other
  const known = record.get(nameIn(other))
  if (known === undefined) return `${file} is not a memory and was not written by an export. It was kept.`
  if (hashOf(await readFile(file)) !== known) return `${file} has changed since it was exported. It was kept.`
  if (!prune) return `${file} is no longer a memory. Use --prune to remove it.`
  await rm(file)
  record.delete(nameIn(other))
  return `Removed ${file}.`
}

function nameIn({ scope, name }: Pick<OtherFile, "scope" | "name">): string {
  return `${scope}/${name}.md`
}

export async function importFiles(
  folder: string,
  options: MemoryOptions & { readonly keepGoing?: boolean; readonly dryRun?: boolean },
): Promise<number> {
  const { terminal } = options
  const scopes = scopesOf(options.scope)
  const { memories, problems } = await readMemories(folder, scopes)
  for (const problem of problems) terminal.note(plain(problem))
  if (problems.length > 0 && !options.keepGoing)
    throw new Complaint(
      `Nothing was imported: ${files(problems.length)} not valid. Use --keep-going to import the others.`,
    )
  if (memories.length === 0) {
    terminal.note(`There are no files to import in ${folder}.`)
    return problems.length > 0 ? exitCodes.usage : exitCodes.done
  }
  const { memory } = connect(options)
  const known = await allOf(memory, scopes)
  const changes = memories.map((found) => ({ found, news: newsOf(found, known) }))
  const excess = excessOf(memories, known)
  if (excess !== undefined && !options.keepGoing) throw new Complaint(`Nothing was imported: ${excess}`)
  const done = options.dryRun ? changes : await write(memory, changes, options)
  for (const { found, news } of done) {
    const { scope, name } = found
    if (terminal.isJson) await terminal.report("", { scope, name, outcome: news })
    else await terminal.out(`${news.padEnd(WIDTH)}  ${scope}/${name}\n`)
  }
  terminal.note(summaryOf(done, options.dryRun ?? false))
  return problems.length > 0 || done.some(({ news }) => news === "refused") ? exitCodes.refused : exitCodes.done
}

type News = "new" | "changed" | "same" | "refused"
type Change = { readonly found: FoundMemory; readonly news: News }

const WIDTH = "changed".length

/** Project memories come first: a caller who may not change them is refused before anything else has changed. */
async function write(
  memory: Memories,
  changes: readonly Change[],
  { terminal, keepGoing }: MemoryOptions & { readonly keepGoing?: boolean },
): Promise<readonly Change[]> {
  const done: Change[] = []
  for (const { found, news } of [...changes].sort((a, b) => a.found.scope.localeCompare(b.found.scope))) {
    const { scope, name, ...text } = found
    try {
      if (news !== "same") await memory.write(scope, name, text)
      done.push({ found, news })
    } catch (error) {
      if (!keepGoing || !(error instanceof ParlorError) || error.passing) throw error
      terminal.note(plain(`${scope}/${name}: ${error.detail}`))
      done.push({ found, news: "refused" })
    }
  }
  return done
}

function newsOf(found: FoundMemory, known: readonly Memory[]): News {
  const before = known.find(({ scope, name }) => scope === found.scope && name === found.name)
  if (before === undefined) return "new"
  const { description, type, pinned, body } = before
  const isSame =
    found.description === description && found.type === type && found.pinned === pinned && found.body === body
  return isSame ? "same" : "changed"
}

/** The limit that the import would exceed, as a sentence. */
function excessOf(memories: readonly FoundMemory[], known: readonly Memory[]): string | undefined {
  for (const scope of memoryScope.options) {
    const after = new Map<string, FoundMemory>()
    for (const memory of [...known, ...memories]) if (memory.scope === scope) after.set(memory.name, memory)
    if (after.size > limits.memoriesPerScope)
      return `the scope ${scope} would have ${after.size} memories. The maximum is ${limits.memoriesPerScope}.`
    const pinned = [...after.values()].filter((memory) => memory.pinned)
    if (pinned.length > limits.memoriesPinned)
      return `${pinned.length} memories would be pinned in the scope ${scope}. The maximum is ${limits.memoriesPinned}.`
    const bytes = pinned.reduce((sum, { body }) => sum + utf8Bytes(body), 0)
    if (bytes > limits.memoriesPinnedBytes)
      return `pinned memories of the scope ${scope} would take ${sizeWords(bytes)}. The maximum is ${sizeWords(limits.memoriesPinnedBytes)}.`
  }
  return undefined
}

async function allOf(memory: Memories, scopes: readonly MemoryScope[]): Promise<readonly Memory[]> {
  const all: Memory[] = []
  for (const scope of scopes)
    for (const { name } of await memory.list({ scope })) all.push(await memory.read(scope, name))
  return all
}

function summaryOf(changes: readonly Change[], dryRun: boolean): string {
  const count = (wanted: News) => changes.filter(({ news }) => news === wanted).length
  const refused = count("refused")
  const parts = [`${count("new")} new`, `${count("changed")} changed`, `${count("same")} unchanged`]
  return `${dryRun ? "Would import" : "Imported"}: ${[...parts, ...(refused > 0 ? [`${refused} refused`] : [])].join(", ")}.`
}

function scopesOf(given: string | undefined): readonly MemoryScope[] {
  const scope = scopeOf(given)
  return scope === undefined ? memoryScope.options : [scope]
}

function files(count: number): string {
  return count === 1 ? "1 file" : `${count} files`
}
