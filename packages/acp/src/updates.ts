/** What an agent reports, as events of a harness (HST-3). Pure: whatever it sends, nothing here throws. */
import type { HarnessCall, HarnessEvent, Json } from "@parlor/core"

type Fields = Readonly<Record<string, unknown>>

export type UpdateContext = {
  /** Makes an absolute path relative to the working folder, if it is inside. */
  readonly relative: (path: string) => string
  /** The output of a terminal so far. */
  readonly terminalOutput: (id: string) => string | undefined
}

/** Undefined if there is nothing to record. */
export function eventOf(update: unknown, context: UpdateContext): HarnessEvent | undefined {
  if (!isFields(update)) return undefined
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
      return textEvent("text", update.content)
    case "agent_thought_chunk":
      return textEvent("reasoning", update.content)
    case "tool_call":
    case "tool_call_update":
      return callEvent(update, context)
    case "plan":
      return { type: "plan", entries: listOf(update.entries).flatMap(planEntry) }
    case "available_commands_update":
      return { type: "commands", commands: listOf(update.availableCommands).flatMap(commandOf) }
    case "notice": {
      const text = [update.title, update.message, update.text].find((value) => typeof value === "string")
      return typeof text === "string"
        ? { type: "notice", code: "agent.notice", text: text.slice(0, MAX_NOTICE) }
        : undefined
    }
    default:
      return undefined
  }
}

/** The text of a message that the person sent, when a session is replayed. */
export function userText(update: unknown): string {
  return isFields(update) && update.sessionUpdate === "user_message_chunk" ? blockText(update.content) : ""
}

/** The call of an update or of a permission request. */
export function callEvent(update: Fields, { relative, terminalOutput }: UpdateContext): HarnessCall | undefined {
  const call = update.toolCallId
  if (typeof call !== "string" || call === "") return undefined
  const { kind, title, name, status, rawInput, rawOutput, content, locations } = update as Readonly<
    Record<string, unknown>
  >
  const contents = Array.isArray(content) ? content.filter(isFields) : undefined
  const output =
    contents === undefined && rawOutput === undefined ? undefined : outputOf(contents ?? [], rawOutput, terminalOutput)
  const diffs = contents?.flatMap((one) => diffOf(one, relative))
  return {
    type: "call",
    call,
    ...(stateOf(status) === undefined ? {} : { state: stateOf(status) as NonNullable<HarnessCall["state"]> }),
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof kind === "string" ? { kind } : {}),
    ...(rawInput === undefined || rawInput === null ? {} : { input: rawInput as Json }),
    ...(output === undefined ? {} : { output }),
    ...(Array.isArray(locations)
      ? { locations: locations.filter(isFields).flatMap((one) => place(one, relative)) }
      : {}),
    ...(diffs === undefined || diffs.length === 0 ? {} : { diffs }),
  }
}

const MAX_NOTICE = 2_000

function stateOf(status: unknown): HarnessCall["state"] {
  if (status === "pending") return "waiting"
  if (status === "in_progress") return "started"
  if (status === "completed") return "done"
  return status === "failed" ? "failed" : undefined
}

/** What the agent shows people, or else what its tool returned. */
function outputOf(
  contents: readonly Fields[],
  rawOutput: unknown,
  terminalOutput: UpdateContext["terminalOutput"],
): Json | undefined {
  const shown = contents.flatMap((one): string[] => {
    if (one.type === "content") return [blockText(one.content)]
    if (one.type !== "terminal" || typeof one.terminalId !== "string") return []
    return [terminalOutput(one.terminalId) ?? ""]
  })
  const text = shown.filter((one) => one !== "").join("\n")
  if (text !== "") return text
  return rawOutput === undefined ? undefined : (rawOutput as Json)
}

function diffOf(content: Fields, relative: (path: string) => string): NonNullable<HarnessCall["diffs"]> {
  const { type, path, oldText, newText } = content as Readonly<Record<string, unknown>>
  if (type !== "diff" || typeof path !== "string" || typeof newText !== "string") return []
  return [{ path: relative(path), before: typeof oldText === "string" ? oldText : null, after: newText }]
}

function place(location: Fields, relative: (path: string) => string): NonNullable<HarnessCall["locations"]> {
  const { path, line } = location as Readonly<Record<string, unknown>>
  if (typeof path !== "string") return []
  return [{ path: relative(path), ...(Number.isSafeInteger(line) ? { line: line as number } : {}) }]
}

function planEntry(entry: unknown) {
  if (!isFields(entry) || typeof entry.content !== "string") return []
  const status = entry.status
  const state = status === "completed" ? "done" : status === "in_progress" ? "started" : "waiting"
  return [{ text: entry.content, state } as const]
}

function commandOf(command: unknown) {
  if (!isFields(command) || typeof command.name !== "string") return []
  const { name, description, input } = command as Readonly<Record<string, unknown>>
  const hint = isFields(input) && typeof input.hint === "string" ? input.hint : null
  return [{ name: name as string, description: typeof description === "string" ? description : "", hint }]
}

function textEvent(type: "text" | "reasoning", content: unknown): HarnessEvent | undefined {
  const text = blockText(content)
  return text === "" ? undefined : { type, text }
}

/** The text of a content block; anything else is named. */
function blockText(block: unknown): string {
  if (!isFields(block)) return ""
  const { type, text, name, uri, resource } = block as Readonly<Record<string, unknown>>
  if (type === "text") return typeof text === "string" ? text : ""
  if (type === "resource_link") return `[${typeof name === "string" ? name : String(uri ?? "link")}]`
  if (type === "resource" && isFields(resource) && typeof resource.text === "string") return resource.text
  return typeof type === "string" ? `[${type}]` : ""
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
