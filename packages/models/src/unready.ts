/** A model whose provider is not connected: it can be named, and says what to do when it is used (MOD-17). */
import { type Model, ModelFault } from "@parlor/core"
import type { Env, ModelInfo } from "./config.ts"
import { type ConnectedAccounts, type Missing, missingFor } from "./credential.ts"

export function unreadyModel(
  spec: string,
  info: ModelInfo & { readonly window: number },
  missing: Missing | undefined,
): Model {
  return {
    ...info,
    name: spec,
    async run() {
      throw new ModelFault(sentence(spec, missing), { transient: false, kind: "key" })
    },
  }
}

/** Why a named model cannot be used yet; undefined if it can. Only where it may be connected later. */
export function notReady(spec: string, env: Env, connected: ConnectedAccounts | undefined): string | undefined {
  if (connected === undefined) return undefined
  const missing = missingFor(spec, env, connected)
  return missing && sentence(spec, missing)
}

function sentence(spec: string, missing: Missing | undefined): string {
  return `The model "${spec}" is not set up. ${adviceOn(missing)}`
}

export function adviceOn(missing: Missing | undefined): string {
  if (missing === undefined) return "Connect its provider under Settings › Models."
  return `Connect ${missing.title} under Settings › Models, or set ${missing.variable} and restart the server.`
}
