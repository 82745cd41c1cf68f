import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Conversation, Parlor } from "@parlor/client"
import { Complaint } from "./explain.ts"

export type ConnectionOptions = { readonly url?: string; readonly token?: string; readonly person?: string }

/** A command about one conversation. */
export type ConversationOptions = ConnectionOptions & { readonly agent: string; readonly branch: string }

export type Settings = { readonly baseUrl: string; readonly token: string; readonly person?: string }

const DEFAULT_PORT = "4141"

export function connect(options: ConnectionOptions): Parlor {
  return new Parlor(readSettings(options, process.env))
}

export function conversationOf(options: ConversationOptions): Conversation {
  return connect(options).conversation(options.agent, options.branch)
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
