/** `parlor links …`: linked names of people (ADR-4). */
import type { LinkView } from "@parlor/protocol"
import { plain, plainJson } from "../plain.ts"
import { type ConnectionOptions, connect } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type LinksOptions = ConnectionOptions & {
  readonly terminal: Terminal
  readonly of?: string
  readonly json?: boolean
  readonly dropAttachments?: boolean
}

export async function list(options: LinksOptions): Promise<number> {
  const { terminal, of, json } = options
  const { links } = connect(options)
  const whose = of === undefined ? {} : { person: of }
  let isAny = false
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await links.list({ ...whose, ...(cursor === undefined ? {} : { cursor }) })
    for (const link of page.links) await terminal.out(`${json ? plainJson(JSON.stringify(link)) : lineOf(link)}\n`)
    isAny ||= page.links.length > 0
    cursor = page.cursor
  }
  if (!isAny && !json) terminal.note('There are no linked names. Add one with "parlor links add <name> [person]".')
  return 0
}

export async function add(name: string, person: string | undefined, options: LinksOptions): Promise<number> {
  const { terminal, dropAttachments = false } = options
  const whose = person === undefined ? {} : { person }
  const link = await connect(options).links.link(name, { ...whose, dropAttachments })
  await terminal.report(plain(`Linked ${link.name} to ${link.person}.`), link)
  return 0
}

export async function rm(names: readonly string[], options: LinksOptions): Promise<number> {
  const { links } = connect(options)
  for (const name of names) {
    await links.unlink(name)
    await options.terminal.report(plain(`Unlinked ${name}.`), { unlinked: name })
  }
  return 0
}

function lineOf({ name, person }: LinkView): string {
  return plain(`${name}  ${person}`)
}
