/** `parlor keys …`: create, list and revoke API keys (ADR-2, SEC-30). */
import type { KeyView } from "@parlor/protocol"
import { Complaint } from "../complaint.ts"
import { keyLine, timeOf } from "../key-lines.ts"
import { plain, plainJson } from "../plain.ts"
import { type ConnectionOptions, connect } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

type KeysOptions = ConnectionOptions & { readonly terminal: Terminal; readonly json?: boolean }

export async function list(options: KeysOptions & { readonly all?: boolean }): Promise<number> {
  const { terminal, all = false, json } = options
  const now = Date.now()
  const keys = (await connect(options).keys.list()).filter((key) => all || isGood(key, now))
  for (const key of keys) await terminal.out(`${json ? plainJson(JSON.stringify(key)) : plain(keyLine(key, now))}\n`)
  if (keys.length === 0 && !json) terminal.note('There are no keys. Create one with "parlor keys create <name>".')
  return 0
}

type CreateOptions = KeysOptions & {
  readonly scopes: string
  readonly expires?: string
  readonly actFor?: string
  readonly asMaker?: boolean
}

export async function create(name: string, options: CreateOptions): Promise<number> {
  const { terminal, scopes, expires, actFor = null, asMaker = false, json } = options
  const expiresAt = expires === undefined ? null : timeOf(expires, Date.now())
  if (expiresAt === undefined)
    throw new Complaint(`--expires ${expires} is not a time. Use a date such as 2027-01-31, or 12h or 30d from now.`)
  // The server checks the names.
  const body = {
    name,
    scopes: scopes.split(",").map((scope) => scope.trim()) as KeyView["scopes"],
    actFor,
    asMaker,
    expiresAt,
  }
  const made = await connect(options).keys.make(body)
  if (json) await terminal.out(`${plainJson(JSON.stringify(made))}\n`)
  else {
    terminal.note(plain(`Created ${keyLine(made, Date.now())}\nThis is its secret. It is not shown again:`))
    await terminal.out(`${plain(made.secret)}\n`)
  }
  return 0
}

export async function revoke(ids: readonly string[], options: KeysOptions): Promise<number> {
  const { keys } = connect(options)
  for (const id of ids) {
    await keys.revoke(id)
    await options.terminal.report(plain(`Revoked ${id}.`), { revoked: id })
  }
  return 0
}

function isGood({ revokedAt, expiresAt }: KeyView, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now)
}
