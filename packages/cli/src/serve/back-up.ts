/** `parlor backup` and `parlor restore`: the data folder of an SQLite server (OPS-21, OPS-22). */
import { sizeWords } from "@parlor/protocol"
import { backUp, type Manifest, OperatorError, restore } from "@parlor/store"
import { Complaint } from "../complaint.ts"
import type { Terminal } from "../terminal.ts"
import { version } from "../version.ts"
import { dataFolderOf } from "./settings.ts"

type BackupOptions = { readonly terminal: Terminal; readonly withKeys?: boolean }

export async function backup(folder: string, { terminal, withKeys = false }: BackupOptions): Promise<number> {
  refusePostgres('pg_dump --schema=parlor --format=custom --file=parlor.dump "$DATABASE_URL"')
  const data = dataFolderOf(process.env)
  const manifest = await asComplaint(backUp({ data, folder, withKeys, version: version(), now: Date.now() }))
  const missing = notIncluded(manifest)
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
  const lines = [
    `Backed up ${data} to ${folder}: ${manifest.files.map(({ name }) => name).join(", ")} (${sizeWords(bytes)}).`,
    "Not included:",
    ...missing.map((line) => `  ${line}`),
  ]
  await terminal.report(lines.join("\n"), { folder, ...manifest, notIncluded: missing })
  return 0
}

export async function restoreBackup(folder: string, { terminal }: { readonly terminal: Terminal }): Promise<number> {
  refusePostgres('pg_restore --clean --if-exists --no-owner --dbname="$DATABASE_URL" parlor.dump')
  const data = dataFolderOf(process.env)
  const { manifest, replaced } = await asComplaint(restore({ folder, data, now: Date.now() }))
  const lines = [
    `Restored ${data} to its state of ${manifest.createdAt}.`,
    ...(replaced === undefined ? [] : [`What was there is in ${replaced}. Delete it when you no longer need it.`]),
    ...(hasKey(manifest) ? [] : [`The token and the secret key in ${data} are unchanged.`]),
    'Start the server with "parlor serve".',
  ]
  await terminal.report(lines.join("\n"), { data, replaced: replaced ?? null, ...manifest })
  return 0
}

function notIncluded(manifest: Manifest): readonly string[] {
  const keys = [
    "secret-key: without it, a restored server does not start. Keep a copy in another place (or use --with-keys)",
    "token: the owner's sign-in; a server without one makes a new one",
  ]
  return [
    ...(hasKey(manifest) ? [] : keys),
    "files: working copies of files. The server restores them from the database; edits by hand that no agent has seen yet are lost",
    "parlor.config.ts, the code of your agents, and folders of yours that they work in",
  ]
}

function hasKey({ files }: Manifest): boolean {
  return files.some(({ name }) => name === "secret-key")
}

function refusePostgres(command: string): void {
  if (process.env.DATABASE_URL)
    throw new Complaint(`The data is in PostgreSQL. Use its own tools, for example:\n  ${command}`)
}

/** Shows what the person at the terminal can solve without a stack. */
export async function asComplaint<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof OperatorError ? new Complaint(error.message) : error
  })
}
