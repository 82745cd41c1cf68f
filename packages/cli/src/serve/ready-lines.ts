/**
 * What a server prints when it is ready. The token is shown on a terminal only, and only if Parlor generated it:
 * other output goes to files and log collectors, and operators know a token that they chose (SEC-33).
 */
import { join } from "node:path"
import type { LocalServer } from "@parlor/models"
import { isLoopback } from "@parlor/server"
import type { ServeSettings } from "./settings.ts"

type Ready = { readonly url: string; readonly token: string }
type Shown = Pick<ServeSettings, "host" | "publicUrl" | "token" | "dataFolder">

export function readyLines({ url, token }: Ready, settings: Shown, isTerminal: boolean): readonly string[] {
  const isPublic = !isLoopback(settings.host) || settings.publicUrl !== undefined
  if (settings.token !== undefined) return [`Parlor is ready: ${url}/`, "Sign in with the token in PARLOR_TOKEN."]
  if (isTerminal && !isPublic) return [`Parlor is ready: ${url}/#token=${token}`]
  const file = join(settings.dataFolder, "token")
  return [`Parlor is ready: ${url}/`, `The owner's token is in ${file}; "parlor link" prints a link with it.`]
}

const SHOWN_MODELS = 8

/** How to use what was found on this machine (MOD-13). */
export function localLines(servers: readonly LocalServer[]): readonly string[] {
  return servers.map(({ name, models }) => {
    const shown = models.slice(0, SHOWN_MODELS).map((id) => `local/${id}`)
    const more = models.length > shown.length ? ` and ${models.length - shown.length} more` : ""
    return `Found ${name} on this machine: ${shown.join(", ")}${more}. To use one, set PARLOR_MODEL or run "parlor model".`
  })
}
