/** What a hosted agent's prompt is given of its conversation: asks, commands, its session, files as text. */

import { ask } from "../ask/ask.ts"
import { decide } from "../log/decide.ts"
import { statusChange } from "../log/state.ts"
import type { HarnessAsk, HarnessCommand, HarnessPrompt } from "../ports/harness.ts"
import { commandRow, ownedReplaced } from "../slash-command/command.ts"
import { lentCommands } from "../slash-command/lent-commands.ts"
import type { Actor } from "../workspace/change.ts"
import { decodeText } from "../workspace/content.ts"
import { workspaceOf } from "../workspace/workspace.ts"
import { isUnattended, type Run, setCommands } from "./run.ts"

const MAX_COMMANDS = 200
const MAX_DESCRIPTION = 1_000
const MAX_HINT = 200
const COMMAND_OWNER = "agent"

/** The id of the chosen option. Yes and no take the options that say so once; any other option is one of its own (HST-4). */
export async function askPermission(run: Run, request: HarnessAsk, call: string): Promise<string | undefined> {
  const { node, parts, brief } = run
  const { options } = request
  const allow = options.find(({ means }) => means === "allow") ?? options.find(isAllowing)
  const deny = options.find(({ means }) => means === "deny") ?? options.find((one) => !isAllowing(one))
  if (isUnattended(run)) return deny?.id
  const others = options.filter((one) => one !== allow && one !== deny)
  const answer = await ask(
    node,
    { owner: parts.owner, turn: run.turn, signal: parts.abort.signal },
    {
      kind: "approval",
      title: `Allow ${brief.speaker.name}: ${request.title}?`,
      detail: request.detail,
      call,
      ...(others.length > 0 ? { options: others.map(({ name }) => name) } : {}),
    },
  )
  if (answer === true) return allow?.id
  return others.find(({ name }) => name === answer)?.id ?? deny?.id
}

/** The session is part of the status: a rollback ends it, and a branch has none (HST-10). */
export async function keepSession({ node, parts }: Run, id: string | null): Promise<void> {
  const { owner } = parts
  await decide(
    node,
    owner.stream,
    (state) => {
      parts.abort.signal.throwIfAborted()
      const isSame = (state.status.session ?? null) === id
      return { answer: undefined, changes: isSame ? [] : [statusChange({ ...state.status, session: id })] }
    },
    { txid: owner.txid, owner },
  )
}

/** Replaces the commands that the agent offered before (HST-11). */
export async function keepCommands(run: Run, commands: readonly HarnessCommand[]): Promise<void> {
  const base = lentCommands(run.node.toolsets, run.brief.speaker)
  const valid = commands.filter(isValid).slice(0, MAX_COMMANDS)
  await setCommands(run, ownedReplaced(run.commands, COMMAND_OWNER, valid.map(definition), base))
}

function definition({ name, description, hint }: HarnessCommand) {
  return { name, description: description.slice(0, MAX_DESCRIPTION), argumentHint: hint?.slice(0, MAX_HINT) ?? null }
}

/** Other programs allow names that cannot be typed as a command here. */
function isValid(command: HarnessCommand): boolean {
  try {
    commandRow(definition(command), COMMAND_OWNER)
    return true
  } catch {
    return false
  }
}

export function textFiles({ node, parts }: Run, actor: Actor): HarnessPrompt["workspace"] {
  const access = workspaceOf(node, parts.owner.stream, { ...actor, signal: parts.abort.signal })
  return {
    readText: async (path) => {
      const text = decodeText((await access.read(path)).content)
      if (text === undefined) throw new Error(`${path} is not text.`)
      return text
    },
    writeText: async (path, text) => {
      await access.write(path, text)
    },
  }
}

/** What the person chose for the conversation when the turn started. */
export function settingsOf({ turn }: Run): HarnessPrompt["settings"] {
  const { model, mode } = turn.settings ?? {}
  return { ...(model === undefined ? {} : { model }), ...(mode === undefined ? {} : { mode }) }
}

function isAllowing({ means }: HarnessAsk["options"][number]): boolean {
  return means === "allow" || means === "allow-always"
}
