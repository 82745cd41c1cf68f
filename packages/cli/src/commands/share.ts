/** `parlor share …`: read-only links to a conversation, and people who can see it (SHR-1). */
import type { ShareView } from "@parlor/protocol"
import { Complaint } from "../complaint.ts"
import { timeOf } from "../key-lines.ts"
import { plain, plainJson } from "../plain.ts"
import { type ConnectionOptions, type ConversationOptions, connect, firstAgent, readSettings } from "../settings.ts"
import { shareLine } from "../share-lines.ts"
import type { Terminal } from "../terminal.ts"

type Options = { readonly terminal: Terminal; readonly json?: boolean }

export async function list(options: ConnectionOptions & Options & { readonly all?: boolean }): Promise<number> {
  const { terminal, json, all = false } = options
  const now = Date.now()
  const shares = (await connect(options).shares.list()).filter((share) => all || isActive(share, now))
  for (const share of shares)
    await terminal.out(`${json ? plainJson(JSON.stringify(share)) : plain(shareLine(share, now))}\n`)
  if (shares.length === 0 && !json) terminal.note('You share nothing. Create a link with "parlor share create".')
  return 0
}

type CreateOptions = ConversationOptions &
  Options & {
    readonly live?: boolean
    readonly with?: string
    readonly expires?: string
    readonly name?: boolean
    readonly details?: boolean
    readonly files?: boolean
  }

export async function create(options: CreateOptions): Promise<number> {
  const { terminal, json, expires, live = false, branch, details = false, files = false } = options
  const parlor = connect(options)
  const made = await parlor.shares.make(options.agent ?? (await firstAgent(parlor)), branch, {
    mode: live ? "live" : "snapshot",
    viewer: options.with ?? null,
    shows: { details, files, ...(options.name ? { name: true } : {}) },
    ...(expires === undefined ? {} : { expiresAt: expiry(expires) }),
  })
  const url = made.path === null ? null : `${readSettings(options, process.env).baseUrl}${made.path}`
  if (json) await terminal.out(`${plainJson(JSON.stringify({ ...made, url }))}\n`)
  else if (url === null) await terminal.out(`${plain(shareLine(made, Date.now()))}\n`)
  else {
    terminal.note(plain(`${shareLine(made, Date.now())}\nAnybody with this link can read it. It is not shown again:`))
    await terminal.out(`${plain(url)}\n`)
  }
  return 0
}

export async function revoke(ids: readonly string[], options: ConnectionOptions & Options): Promise<number> {
  const { shares } = connect(options)
  for (const id of ids) {
    await shares.revoke(id)
    await options.terminal.report(plain(`Stopped sharing ${id}.`), { revoked: id })
  }
  return 0
}

function expiry(text: string): number | null {
  if (text === "never") return null
  const time = timeOf(text, Date.now())
  if (time === undefined)
    throw new Complaint(
      `--expires ${text} is not a time. Use a date such as 2027-01-31, 12h or 30d from now, or never.`,
    )
  return time
}

function isActive({ revokedAt, expiresAt }: ShareView, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now)
}
