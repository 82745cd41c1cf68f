/** What a client asks of a server, and what became of it. */
import type { Runtime } from "@parlor/core"
import {
  type Address,
  type EditBody,
  type SendMode,
  type Sent,
  type Trigger,
  type TxId,
  unreachable,
} from "@parlor/protocol"
import type { Process } from "./process.ts"

export type Command =
  | {
      readonly kind: "send"
      readonly text: string
      readonly mode: SendMode
      readonly guests?: readonly string[]
      readonly position?: string
      readonly key?: string
      /** Sent by a webhook, when nobody is there. */
      readonly isTriggered?: true
    }
  | { readonly kind: "stop"; readonly turn: string | undefined; readonly onQueue: OnQueue | undefined }
  | { readonly kind: "edit"; readonly message: string; readonly body: EditBody }
  | { readonly kind: "lease"; readonly message: string; readonly holder: string }
  | { readonly kind: "release"; readonly message: string }
  | { readonly kind: "remove"; readonly message: string }
  | { readonly kind: "clear" }
  | { readonly kind: "send-now"; readonly message: string }
  | { readonly kind: "hold" }
  | { readonly kind: "resume" }
  | { readonly kind: "answer"; readonly ask: string; readonly answer: boolean | string }
  | { readonly kind: "mark"; readonly title: string }
  | { readonly kind: "import"; readonly lines: readonly string[] }

export type OnQueue = "hold" | "drain" | "clear"

/**
 * - `lost`: the process died under it; `fault`: it was told to try again later. Either may have been carried out.
 * - `broken`: an answer that no caller should ever get.
 */
type Outcome = "pending" | "ok" | "refused" | "fault" | "lost" | "broken"

export type Op = {
  readonly command: Command
  readonly process: Process
  readonly txid: TxId
  readonly invokedAt: number
  answeredAt: number
  outcome: Outcome
  /** What the runtime answered, by the command's kind. */
  answer: unknown
  /** The code of a refusal, the words of anything else. */
  why: string
}

export function perform(runtime: Runtime, address: Address, command: Command, txid: TxId): Promise<unknown> {
  switch (command.kind) {
    case "send":
      return runtime.send(address, {
        type: "composer_input",
        payload: { source: command.text },
        mode: command.mode,
        ...(command.isTriggered === true ? { source: "webhook", trigger: triggerOf(txid) } : { source: "person" }),
        txid,
        ...(command.guests === undefined ? {} : { guests: command.guests }),
        ...(command.position === undefined ? {} : { position: command.position }),
        ...(command.key === undefined ? {} : { key: { key: command.key, hash: hashOf(command) } }),
      })
    case "stop":
      return runtime.stop(address, { turn: command.turn, onQueue: command.onQueue, txid })
    case "edit":
      return runtime.edit(address, command.message, command.body, txid)
    case "lease":
      return runtime.lease(address, command.message, command.holder, txid)
    case "release":
      return runtime.release(address, command.message, txid)
    case "remove":
      return runtime.removeQueued(address, command.message, txid)
    case "clear":
      return runtime.clear(address, txid)
    case "send-now":
      return runtime.sendNow(address, command.message, txid)
    case "hold":
      return runtime.hold(address, txid)
    case "resume":
      return runtime.resume(address, txid)
    case "answer":
      return runtime.answer(address, command.ask, command.answer, { by: "ana", txid })
    case "mark":
      return runtime.mark(address, { title: command.title, read: true }, txid)
    case "import":
      return runtime.importLines(address, command.lines, { txid })
    default:
      return unreachable(command)
  }
}

function triggerOf(txid: TxId): Trigger {
  return { source: "webhook", firedAt: 0, scheduleId: null, deliveryId: txid, headers: null, subject: null }
}

export function hashOf(command: Extract<Command, { kind: "send" }>): string {
  return JSON.stringify([command.text, command.mode, command.position ?? null, command.guests ?? null])
}

export function sentOf(op: Op): Sent | undefined {
  const isSend = op.command.kind === "send" || op.command.kind === "send-now"
  return isSend && op.outcome === "ok" ? (op.answer as Sent) : undefined
}

/** It was not carried out, or has not been yet. */
export function isRefused(op: Op): boolean {
  return op.outcome === "refused" || op.outcome === "broken"
}
