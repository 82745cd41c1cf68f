/**
 * Why a handler is called. Pure (CMP-9).
 *
 * One wake per message: its type and payload, typed by the schemas that the agent declared, and the trigger's envelope
 * if nobody typed it. A handler that runs again after a crash is told so, together with the original reason.
 */
import {
  COMPOSER_INPUT,
  type ComposerInput,
  type MessageRow,
  Refusal,
  type Trigger,
  unreachable,
} from "@parlor/protocol"
import type { z } from "zod"
import type { SPAWN, Spawned } from "./spawn.ts"

/** Message types that an agent declares, with the schemas of their payloads (CMP-1). */
export type InboxSchemas = Readonly<Record<string, z.ZodType>>

type Payloads<Inbox extends InboxSchemas> = { readonly [COMPOSER_INPUT]: ComposerInput } & {
  readonly [T in keyof Inbox & string]: z.output<Inbox[T]>
}

/** Flat, so that `kind` and then `type` narrow the payload. */
type WakeOf<Kind extends string, Envelope, P> = {
  readonly [T in keyof P & string]: {
    readonly kind: Kind
    readonly type: T
    readonly payload: P[T]
    readonly envelope: Envelope
  }
}[keyof P & string]

/**
 * What happened: a person wrote, a schedule or webhook fired, a watched resource changed, or the conversation was
 * created.
 */
export type Occasion<Inbox extends InboxSchemas = InboxSchemas> =
  | WakeOf<"inbox", Trigger | null, Payloads<Inbox>>
  | WakeOf<"schedule" | "webhook" | "observation", Trigger, Payloads<Inbox>>
  | WakeOf<"spawn", Trigger, { readonly [SPAWN]: Spawned }>

export type Wake<Inbox extends InboxSchemas = InboxSchemas> =
  | Occasion<Inbox>
  /** The turn was interrupted and the handler runs again from the beginning. */
  | { readonly kind: "recovery"; readonly of: Occasion<Inbox>; readonly envelope: Trigger | null }

/** Preserves the type: for `Wake<Inbox>` it is `Occasion<Inbox>`. */
type OccasionOf<W> = W extends { readonly kind: "recovery"; readonly of: infer O } ? O : W

/** What happened, even when the handler runs for it a second time. */
export function occasionOf<W extends Wake>(wake: W): OccasionOf<W> {
  return (wake.kind === "recovery" ? wake.of : wake) as OccasionOf<W>
}

/** All slash commands in the typed text, each with the text up to the next one. */
export function commandsIn(wake: Wake): readonly { readonly name: string; readonly text: string }[] {
  const { type, payload } = occasionOf(wake)
  return type === COMPOSER_INPUT ? commandsOf(payload as ComposerInput) : []
}

export function commandsOf({ source, nodes = [] }: ComposerInput): readonly { name: string; text: string }[] {
  const commands = nodes.filter((node) => node.kind === "slash_command" && typeof node.name === "string")
  return commands.map((node, index) => ({
    name: node.name as string,
    text: source.slice(node.end, commands[index + 1]?.start).trim(),
  }))
}

export async function wakeOf(
  message: MessageRow,
  inbox: InboxSchemas,
  options: { readonly recovered: boolean },
): Promise<Wake> {
  const envelope = message.trigger
  const what = { ...(await delivered(message, inbox)), envelope, kind: kindOf(envelope) } as Occasion
  return options.recovered ? { kind: "recovery", of: what, envelope } : what
}

/** A payload was checked on arrival, but the agent may have been edited since. */
async function delivered({ inbox: sent, composer, parts }: MessageRow, schemas: InboxSchemas) {
  if (sent === null) return { type: COMPOSER_INPUT, payload: composer ?? { source: typed(parts) } }
  const schema = Object.hasOwn(schemas, sent.type) ? schemas[sent.type] : undefined
  if (schema === undefined) return sent
  const parsed = await schema.safeParseAsync(sent.payload)
  if (parsed.success) return { type: sent.type, payload: parsed.data }
  const [issue] = parsed.error.issues
  const where = issue?.path.map((step) => `/${String(step)}`).join("") ?? ""
  throw new Refusal(
    "request.invalid",
    `The message "${sent.type}" no longer matches its schema: ${issue?.message}`,
    where,
  )
}

function typed(parts: MessageRow["parts"]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("")
}

function kindOf(envelope: Trigger | null): Occasion["kind"] {
  if (envelope === null) return "inbox"
  switch (envelope.source) {
    case "schedule":
    case "self":
      return "schedule"
    case "webhook":
      return "webhook"
    case "mcp-event":
      return "observation"
    case "spawn":
      return "spawn"
    case "api":
    case "sidecar":
    case "import":
      return "inbox"
    default:
      return unreachable(envelope.source)
  }
}
