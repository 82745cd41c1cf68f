/** `parlor link`: prints the page's URL with the token, for anybody who can read the token file. */
import { type ConnectionOptions, readSettings } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export async function link({
  terminal,
  ...options
}: ConnectionOptions & { readonly terminal: Terminal }): Promise<number> {
  const { baseUrl, token } = readSettings(options, process.env)
  const url = `${baseUrl}/#token=${encodeURIComponent(token)}`
  if (terminal.isJson) await terminal.report("", { url })
  else await terminal.out(`${url}\n`)
  return 0
}
