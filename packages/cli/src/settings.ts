import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Conversation, Parlor } from "@parlor/client"
import { MAIN_BRANCH } from "@parlor/protocol"
import { Complaint } from "./complaint.ts"
import { exitCodes } from "./exit-codes.ts"
import { plain } from "./plain.ts"

export type ConnectionOptions = { readonly url?: string; readonly token?: string; readonly person?: string }

/** A command about one conversation. */
export type ConversationOptions = ConnectionOptions & {
  /** Default: the first agent of the server. */
  readonly agent?: string
  readonly branch: string
}

export type Settings = { readonly baseUrl: string; readonly token: string; readonly person?: string }

const DEFAULT_PORT = "4141"

export function connect(options: ConnectionOptions): Parlor {
  return new Parlor(readSettings(options, process.env))
}

export async function conversationOf(options: ConversationOptions): Promise<Conversation> {
  const parlor = connect(options)
  return parlor.conversation(options.agent ?? (await firstAgent(parlor)), options.branch)
}

/** The first agent of the config is the one a person means who names none (CLI-1). */
export async function firstAgent(parlor: Pick<Parlor, "agents">): Promise<string> {
  const [first] = await parlor.agents()
  if (first === undefined) throw new Complaint("The server has no agents.", exitCodes.refused)
  return first.name
}

/** A command about the same conversation, to copy: `"parlor queue resume --agent critic"` (CLI-1). */
export function hint(
  command: string,
  { agent, branch }: { readonly agent?: string | undefined; readonly branch: string },
): string {
  const named = agent === undefined ? "" : ` --agent ${agent}`
  return `"parlor ${command}${named}${branch === MAIN_BRANCH ? "" : ` --branch ${quoted(branch)}`}"`
}

/** For a shell. */
export function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${plain(name).replaceAll("'", "'\\''")}'`
}

export function readSettings(options: ConnectionOptions, env: NodeJS.ProcessEnv): Settings {
  return {
    baseUrl: readUrl(options.url ?? (env.PARLOR_URL || `http://127.0.0.1:${env.PARLOR_PORT || DEFAULT_PORT}`)),
    token: options.token ?? (env.PARLOR_TOKEN || readToken(join(env.PARLOR_DATA || ".parlor", "token"))),
    ...(options.person === undefined ? {} : { person: options.person }),
  }
}

function readUrl(text: string): string {
  const withScheme = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(withScheme)) throw new Complaint(`"${text}" is not a valid server URL.`)
  return withScheme.replace(/(?<!\/)\/+$/, "")
}

function readToken(file: string): string {
  if (!existsSync(file))
    throw new Complaint(
      `There is no token in ${file}. Start the server in this folder with "parlor serve", or set its token with --token or PARLOR_TOKEN.`,
    )
  return readFileSync(file, "utf8").trim()
}
