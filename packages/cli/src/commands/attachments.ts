/** `parlor attachments …`: a person's attachments and their size (CMP-15). */
import type { Attachments } from "@parlor/client"
import { type ListedAttachment, sizeWords } from "@parlor/protocol"
import { Complaint } from "../complaint.ts"
import { plain, plainJson } from "../plain.ts"
import { type ConnectionOptions, connect } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type AttachmentsOptions = ConnectionOptions & { readonly terminal: Terminal; readonly json?: boolean }

/** How much of a hash is shown: enough to be unique. */
const SHOWN = 12
const PAGE = 500

export async function list(options: AttachmentsOptions): Promise<number> {
  const { terminal, json } = options
  let room = ""
  for await (const { attachments, bytes, most } of pages(connect(options).attachments)) {
    for (const one of attachments) await terminal.out(`${json ? plainJson(JSON.stringify(one)) : lineOf(one)}\n`)
    room = bytes === 0 ? NONE : `${sizeWords(bytes)} of ${sizeWords(most)}`
  }
  if (!json) terminal.note(room)
  return 0
}

/** All are looked up before the first is deleted, so that a typo deletes nothing. */
export async function rm(refs: readonly string[], options: AttachmentsOptions): Promise<number> {
  const { attachments } = connect(options)
  for (const { hash, name } of await find(attachments, refs)) {
    await attachments.delete(hash)
    await options.terminal.report(plain(`Deleted ${name}.`), { deleted: hash, name })
  }
  return 0
}

async function find(attachments: Attachments, refs: readonly string[]): Promise<readonly ListedAttachment[]> {
  const all: ListedAttachment[] = []
  for await (const page of pages(attachments)) all.push(...page.attachments)
  return [...new Set(refs)].map((ref) => {
    const [first, second] = /^[0-9a-f]+$/.test(ref) ? all.filter(({ hash }) => hash.startsWith(ref)) : []
    if (second !== undefined) throw new Complaint(`More than one begins with ${ref}. Type more characters of the hash.`)
    if (first === undefined) throw new Complaint(`There is no attachment "${ref}". "parlor attachments" lists them.`)
    return first
  })
}

async function* pages(attachments: Attachments) {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await attachments.list({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) })
    yield page
    cursor = page.cursor
  }
}

function lineOf({ hash, name, mediaType, bytes, at }: ListedAttachment): string {
  const day = new Date(at).toISOString().slice(0, 10)
  return plain([hash.slice(0, SHOWN), day, sizeWords(bytes).padStart(8), mediaType, name].join("  "))
}

const NONE = 'There are no attachments. Attach a file with "parlor send --attach <file>".'
