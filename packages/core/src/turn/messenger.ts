/** Sends messages of agents to other agents. Implemented by the commands, which are above turns. */
import type { Address, Sent, Trigger, TxId } from "@parlor/protocol"
import type { Json } from "../ports/json.ts"

export type Messenger = {
  readonly send: (
    address: Address,
    message: {
      readonly type: string
      readonly payload: Json
      readonly mode: "immediate"
      readonly source: string
      readonly trigger: Trigger
      readonly txid: TxId
      readonly key: { readonly key: string; readonly hash: string }
    },
  ) => Promise<Sent>
  readonly make: (address: Address, txid: TxId) => Promise<unknown>
}
