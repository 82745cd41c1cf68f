/** `parlor memory list | show | edit | rm`: reading and editing memories (MEM-7). */

import type { Memories } from "@parlor/client"
import { type MemoryLine, type MemoryScope, memoryScope } from "@parlor/protocol"
import { Complaint } from "../complaint.ts"
import { readInput, textFromEditor } from "../memory-edit.ts"
import { parseMemory, printMemory } from "../memory-file.ts"
import { plain, plainJson } from "../plain.ts"
import { type ConnectionOptions, connect } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type MemoryOptions = ConnectionOptions & { readonly scope?: string; readonly terminal: Terminal }

export async function list(
  words: readonly string[],
  options: MemoryOptions & { readonly json?: boolean },
): Promise<number> {
  const { terminal } = options
  const scope = scopeOf(options.scope)
  const q = words.join(" ")
  const lines = await connect(options).memory.list({ ...(scope ? { scope } : {}), ...(q === "" ? {} : { q }) })
  const shown = options.json ? lines.map((line) => plainJson(JSON.stringify(line))) : tableOf(lines)
  for (const line of shown) await terminal.out(`${line}\n`)
  if (lines.length === 0 && !options.json) terminal.note(q === "" ? NONE : `No memories match: ${q}`)
  return 0
}

export async function show(ref: string, options: MemoryOptions & { readonly json?: boolean }): Promise<number> {
  const { terminal } = options
  const { memory } = connect(options)
  const { scope, name } = await find(memory, ref, options.scope)
  const found = await memory.read(scope, name)
  const text = options.json ? `${plainJson(JSON.stringify(found))}\n` : printMemory(found)
  await terminal.out(terminal.isInteractive ? plain(text) : text)
  if (!options.json)
    terminal.note(plain(`${scope}, written by ${writer(found)} at ${new Date(found.updatedAt).toISOString()}`))
  return 0
}

/** In the person's editor, from a file, or from standard input. An unknown name creates a new memory. */
export async function edit(ref: string, options: MemoryOptions & { readonly file?: string }): Promise<number> {
  const { memory } = connect(options)
  const { scope, name, isNew } = await find(memory, ref, options.scope, "or new")
  const before = isNew ? draft(name) : await memory.read(scope, name)
  const source = printMemory(before)
  const text =
    options.file === undefined ? await textFromEditor(`${name}.md`, source, check) : await readInput(options.file)
  if (text === source) {
    await options.terminal.report("No changes.", { scope, name, changed: false })
    return 0
  }
  const { description, type, pinned, body } = check(text)
  const written = await memory.write(scope, name, { description, type, pinned, body })
  await options.terminal.report(`${isNew ? "Wrote" : "Changed"} ${scope}/${name}.`, written)
  return 0

  function check(given: string) {
    return parseMemory(given, { file: options.file ?? `${name}.md`, name })
  }
}

export async function rm(refs: readonly string[], options: MemoryOptions): Promise<number> {
  const { memory } = connect(options)
  const found = []
  for (const ref of refs) found.push(await find(memory, ref, options.scope))
  for (const { scope, name } of found) {
    await memory.delete(scope, name)
    await options.terminal.report(`Deleted ${scope}/${name}.`, { deleted: name, scope })
  }
  return 0
}

export function scopeOf(given: string | undefined): MemoryScope | undefined {
  if (given === undefined) return undefined
  const scope = memoryScope.options.find((known) => known === given)
  if (scope === undefined) throw new Complaint(`--scope must be one of: ${memoryScope.options.join(", ")}.`)
  return scope
}

type Found = { readonly scope: MemoryScope; readonly name: string; readonly isNew: boolean }

/** A name, or a scope and a name as in `user/tea`. A name that exists in both scopes needs its scope (MEM-2). */
async function find(memory: Memories, ref: string, scope: string | undefined, orNew?: "or new"): Promise<Found> {
  const [, before, name = ref] = /^(user|project)\/(.+)$/.exec(ref) ?? []
  const wanted = scopeOf(before ?? scope)
  const found = (await memory.list(wanted ? { scope: wanted } : {})).filter((line) => line.name === name)
  const [first, second] = found
  if (second !== undefined)
    throw new Complaint(`Both scopes have a memory "${name}". Choose one: --scope user or --scope project.`)
  if (first !== undefined) return { scope: first.scope, name, isNew: false }
  if (orNew !== undefined) return { scope: wanted ?? "user", name, isNew: true }
  throw new Complaint(`There is no memory "${name}". "parlor memory" lists them.`)
}

function draft(name: string) {
  return { name, description: "One line about this memory", type: "user", pinned: false, body: "" }
}

function tableOf(lines: readonly MemoryLine[]): readonly string[] {
  const cells = lines.map((line) => [
    `${line.scope}/${line.name}`,
    line.pinned ? `${line.type}, pinned` : line.type,
    writer(line),
    line.description,
  ])
  const widths = [0, 1, 2].map((column) => Math.max(0, ...cells.map((row) => row[column]?.length ?? 0)))
  return cells.map((row) => plain(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")))
}

function writer({ writtenBy, writtenIn }: MemoryLine): string {
  return writtenIn === null ? "a person" : `${writtenBy} in ${writtenIn.agent}/${writtenIn.branch}`
}

const NONE =
  'There are no memories yet. Ask an agent to remember something, or write one with "parlor memory edit <name>".'
