/** Sends a message for a client of another protocol. */
import { createHash } from "node:crypto"
import type { Json } from "@parlor/core"
import { type Address, COMPOSER_INPUT, type ComposerInput, type MessageId, Refusal, type Sent } from "@parlor/protocol"
import type { Call, Services } from "../services.ts"

type Sending = {
  readonly address: Address
  readonly payload: ComposerInput
  readonly key?: string
  readonly editedFrom?: MessageId
}

/** An unknown branch creates a new conversation of that name. */
export async function sendNew(
  { runtime }: Services,
  { caller, txid }: Pick<Call<"uiSend">, "caller" | "txid">,
  { address, payload, key, editedFrom }: Sending,
): Promise<Sent> {
  const message = {
    type: COMPOSER_INPUT,
    payload: payload as unknown as Json,
    mode: "immediate",
    source: caller.key === null ? "person" : "api",
    txid,
    ...(key === undefined ? {} : { key: { key, hash: hashOf(payload) } }),
    ...(editedFrom === undefined ? {} : { editedFrom }),
  } as const
  try {
    return await runtime.send(address, message)
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "conversation.unknown")) throw error
    await runtime.make(address, txid)
    return runtime.send(address, message)
  }
}

function hashOf(payload: ComposerInput): string {
  return createHash("sha256").update(JSON.stringify(payload)).digest("base64url")
}
