/** `parlor providers …`: connect model providers (MOD-15). Keys are read from standard input or a prompt, never from arguments. */
import { text as readAll } from "node:stream/consumers"
import type { ProviderBody, ProviderName } from "@parlor/protocol"
import { askHidden } from "../ask-hidden.ts"
import { plain, plainJson } from "../plain.ts"
import { providerLine, providersLines } from "../provider-lines.ts"
import { type ConnectionOptions, connect } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

type ProvidersOptions = ConnectionOptions & { readonly terminal: Terminal; readonly json?: boolean }
type AddOptions = ProvidersOptions & { readonly at?: string; readonly model?: string; readonly key: boolean }

export async function list(options: ProvidersOptions): Promise<number> {
  const { terminal, json } = options
  const view = await connect(options).providers.list()
  if (json) await terminal.out(`${plainJson(JSON.stringify(view))}\n`)
  else for (const line of providersLines(view)) await terminal.out(`${plain(line)}\n`)
  return 0
}

export async function add(provider: string, options: AddOptions): Promise<number> {
  const connected = await connect(options).providers.connect(provider as ProviderName, await bodyOf(provider, options))
  await options.terminal.report(plain(`Connected ${providerLine(connected)}`), connected)
  return 0
}

/** Without a key on standard input, the stored account is tested. */
export async function test(provider: string, options: AddOptions): Promise<number> {
  const body = process.stdin.isTTY === true ? placeOf(options) : await bodyOf(provider, options)
  const tested = await connect(options).providers.test(provider as ProviderName, body)
  await options.terminal.report(
    plain(`It works: ${tested.model} answered. Models: ${tested.models.join(", ")}`),
    tested,
  )
  return 0
}

export async function remove(providers: readonly string[], options: ProvidersOptions): Promise<number> {
  const parlor = connect(options)
  for (const provider of providers) {
    await parlor.providers.disconnect(provider as ProviderName)
    await options.terminal.report(plain(`Removed ${provider}.`), { removed: provider })
  }
  return 0
}

async function bodyOf(provider: string, options: AddOptions): Promise<ProviderBody> {
  const place = placeOf(options)
  if (provider === "local" || !options.key) return place
  const given =
    process.stdin.isTTY === true ? await askHidden(`API key for ${provider}: `) : await readAll(process.stdin)
  const key = given.trim()
  return key === "" ? place : { ...place, key }
}

function placeOf({ at, model }: AddOptions): ProviderBody {
  return { ...(at === undefined ? {} : { url: at }), ...(model === undefined ? {} : { model }) }
}
