/**
 * Why a handler is called. Pure (CMP-9).
 *
 * One wake per message: its type and payload, typed by the schemas that the agent declared, and the trigger's envelope
 * if nobody typed it. A handler that runs again after a crash gets the same wake, with `recovered: true`.
 */
import {
  type ArgumentDefinition,
  argumentProblem,
  COMPOSER_INPUT,
  type ComposerInput,
  type MessageRow,
  Refusal,
  readArguments,
  type SPAWN,
  slashCommands,
  type Trigger,
  textAfter,
} from "@parlor/protocol"
import type { z } from "zod"
import type { CommandCall, InvokedCommand, SlashCommandDefinition } from "./slash-command.ts"
import type { Spawned } from "./spawn.ts"
import { triggerSources } from "./trigger-sources.ts"

/** Message types that an agent declares, with the schemas of their payloads (CMP-1). */
export type InboxSchemas = Readonly<Record<string, z.ZodType>>

type Payloads<Inbox extends InboxSchemas> = { readonly [COMPOSER_INPUT]: ComposerInput } & {
  readonly [T in keyof Inbox & string]: z.output<Inbox[T]>
}

/** One member per type, so that `message_type` narrows `payload`. */
type Delivered<P> = {
  readonly [T in keyof P & string]: { readonly message_type: T; readonly payload: P[T] }
}[keyof P & string]

type WakeOf<Type extends string, Message, Envelope> = {
  readonly type: Type
  /** The message that woke the agent. */
  readonly message: Message
  /** Where the message came from when nobody typed it (TRG-1). */
  readonly envelope: Envelope
  /** The turn was interrupted, and the handler runs again from its beginning. */
  readonly recovered: boolean
}

/** A person wrote, or a program sent a message. */
export type InboxWake<Inbox extends InboxSchemas = InboxSchemas> = WakeOf<
  "inbox",
  Delivered<Payloads<Inbox>>,
  Trigger | null
>
/** A schedule fired, or a wakeup that the agent asked for. */
export type ScheduleWake<Inbox extends InboxSchemas = InboxSchemas> = WakeOf<
  "schedule",
  Delivered<Payloads<Inbox>>,
  Trigger
>
export type WebhookWake<Inbox extends InboxSchemas = InboxSchemas> = WakeOf<
  "webhook",
  Delivered<Payloads<Inbox>>,
  Trigger
>
/** A watched resource changed. */
export type ObservationWake<Inbox extends InboxSchemas = InboxSchemas> = WakeOf<
  "observation",
  Delivered<Payloads<Inbox>>,
  Trigger
>
/** The conversation was created. */
export type SpawnWake = WakeOf<"spawn", Delivered<{ readonly [SPAWN]: Spawned }>, Trigger>

export type HandlerWake<Inbox extends InboxSchemas = InboxSchemas> =
  | InboxWake<Inbox>
  | ScheduleWake<Inbox>
  | WebhookWake<Inbox>
  | ObservationWake<Inbox>
  | SpawnWake

/** What was typed; undefined if the message is of another type. */
export function composerInputOf(wake: HandlerWake): ComposerInput | undefined {
  return wake.message.message_type === COMPOSER_INPUT ? (wake.message.payload as ComposerInput) : undefined
}

/** All slash commands in the typed text, each with the text up to the next one. */
export function commandsIn(wake: HandlerWake): readonly { readonly name: string; readonly text: string }[] {
  const input = composerInputOf(wake)
  return input === undefined ? [] : commandsOf(input)
}

/**
 * The first invocation of a command in the typed text, with its arguments typed as declared; undefined if the text does
 * not contain the command (CMP-19).
 */
export function commandIn<const Command extends SlashCommandDefinition>(
  wake: HandlerWake,
  command: Command,
): CommandCall<Command> | undefined {
  const found = commandsIn(wake).find(({ name }) => name === command.name)
  if (found === undefined) return undefined
  const { problem, ...call } = invokedCommand(found, command.arguments ?? [])
  return (problem === undefined ? { ok: true, ...call } : { ok: false, problem, ...call }) as CommandCall<Command>
}

export function invokedCommand(
  { name, text }: { readonly name: string; readonly text: string },
  declared: readonly ArgumentDefinition[],
): InvokedCommand {
  const { read, rest } = readArguments(declared, text)
  const values = read.flatMap((one) => (one.state === "given" ? [[one.argument.name, one.value] as const] : []))
  return { name, text, arguments: Object.fromEntries(values), rest, problem: argumentProblem(name, read) }
}

export function commandsOf(input: ComposerInput): readonly { readonly name: string; readonly text: string }[] {
  return slashCommands(input).map((node) => ({ name: node.name, text: textAfter(input, node) }))
}

export async function wakeOf(
  message: MessageRow,
  inbox: InboxSchemas,
  { recovered }: { readonly recovered: boolean },
): Promise<HandlerWake> {
  const { trigger } = message
  return {
    type: typeOf(trigger),
    message: await delivered(message, inbox),
    envelope: trigger,
    recovered,
  } as HandlerWake
}

/** A payload was checked on arrival, but the agent may have been edited since. */
async function delivered(
  { inbox: sent, composer, parts }: MessageRow,
  schemas: InboxSchemas,
): Promise<{ readonly message_type: string; readonly payload: unknown }> {
  if (sent === null) return { message_type: COMPOSER_INPUT, payload: composer ?? { source: typed(parts) } }
  const { type, payload } = sent
  const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined
  if (schema === undefined) return { message_type: type, payload }
  const parsed = await schema.safeParseAsync(payload)
  if (parsed.success) return { message_type: type, payload: parsed.data }
  const [issue] = parsed.error.issues
  const where = issue?.path.map((step) => `/${String(step)}`).join("") ?? ""
  throw new Refusal("request.invalid", `The message "${type}" no longer matches its schema: ${issue?.message}`, where)
}

function typed(parts: MessageRow["parts"]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("")
}

function typeOf(envelope: Trigger | null): HandlerWake["type"] {
  return envelope === null ? "inbox" : triggerSources[envelope.source].wake
}
