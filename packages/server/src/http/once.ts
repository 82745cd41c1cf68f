/**
 * Commands with an `Idempotency-Key` that do not recognize a repeat themselves (LOG-30): the response is stored
 * before it is sent, and a repeat gets it again. A repeat that arrives while the first request runs waits for it.
 *
 * The response of a failed command is not stored: a repeat runs the command again.
 */
import { createHash } from "node:crypto"
import type { Log, Runtime } from "@parlor/core"
import { limits, Refusal, type Route, type TxId } from "@parlor/protocol"

/** A longer response is not stored; none of these commands has one. */
const ANSWER_CHARS = 64 * 1024

export type CommandAnswer = { readonly status: number; readonly txid: string; readonly body: string | null }

export type Command = {
  readonly person: string
  readonly key: string
  /** A digest of the request. */
  readonly hash: string
  readonly txid: TxId
}

export class OnceCommands {
  readonly #runtime: Pick<Runtime, "keptAnswer" | "keepAnswer">
  readonly #log: Log
  readonly #running = new Map<string, { readonly hash: string; readonly answer: Promise<CommandAnswer> }>()

  constructor(runtime: Pick<Runtime, "keptAnswer" | "keepAnswer">, log: Log) {
    this.#runtime = runtime
    this.#log = log
  }

  async run(command: Command, work: () => Promise<CommandAnswer>): Promise<CommandAnswer> {
    const name = JSON.stringify([command.person, command.key])
    const running = this.#running.get(name)
    if (running !== undefined) {
      checkHash(running.hash, command)
      return running.answer
    }
    const answer = this.#first(command, work).finally(() => this.#running.delete(name))
    this.#running.set(name, { hash: command.hash, answer })
    return answer
  }

  async #first(command: Command, work: () => Promise<CommandAnswer>): Promise<CommandAnswer> {
    const { person, key, hash, txid } = command
    const kept = await this.#runtime.keptAnswer(person, key, txid)
    if (kept !== undefined) {
      checkHash(kept.hash, command)
      return JSON.parse(kept.answer) as CommandAnswer
    }
    const done = await work()
    const answer = JSON.stringify(done)
    if (answer.length > ANSWER_CHARS) return done
    try {
      await this.#runtime.keepAnswer(person, { key, hash, answer }, txid)
    } catch (error) {
      // The command succeeded: the client gets its response and has no reason to repeat it.
      this.#log.warn("response not stored for idempotency", { reason: String(error) })
    }
    return done
  }
}

/** Undefined for a route that needs no key, or whose command handles it. */
export function onceKey(route: Route, header: string | undefined): string | undefined {
  const keepsAnswer = route.method !== "GET" && route.repeats === undefined && route.answer?.type === undefined
  if (header === undefined || !keepsAnswer) return undefined
  return idempotencyKey(header)
}

export function requestHash(method: string, target: string, body: Uint8Array): string {
  return createHash("sha256").update(`${method} ${target}\n`).update(body).digest("base64url")
}

export function idempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  if (header.length > 0 && header.length <= limits.idempotencyKeyLength && /^[\x20-\x7e]+$/.test(header)) return header
  throw new Refusal(
    "request.invalid",
    `An Idempotency-Key must be 1 to ${limits.idempotencyKeyLength} printable ASCII characters.`,
    "Idempotency-Key",
  )
}

function checkHash(known: string, { hash }: Command): void {
  if (known === hash) return
  throw new Refusal(
    "idempotency.reused",
    "This Idempotency-Key was already used with a different request. Use a new key.",
  )
}
