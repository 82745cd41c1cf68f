/** A turn as its agent's code sees it: each method is an act of the turn. */
import type { MessageRow } from "@parlor/protocol"
import type { HandlerContext, Ran } from "../agent/handler.ts"
import type { SlashCommands } from "../agent/slash-command.ts"
import type { Question, Tool } from "../agent/tool.ts"
import { commandsIn, type HandlerWake, invokedCommand } from "../agent/wake.ts"
import { ask } from "../ask/ask.ts"
import { type AskToChange, memoryAccess } from "../memory/access.ts"
import { orHandedOver } from "../model-call/hand-over.ts"
import type { Log } from "../ports/log.ts"
import { wakeupsOf } from "../schedule/wakeup.ts"
import { type Commands, ownedReplaced, registered, unregistered } from "../slash-command/command.ts"
import { lentCommands } from "../slash-command/lent-commands.ts"
import { workspaceOf } from "../workspace/workspace.ts"
import type { Acts } from "./acts.ts"
import { agentMessages } from "./agent-messages.ts"
import { conversationView } from "./conversation-view.ts"
import { insertContext, reply, runStandard } from "./handler-acts.ts"
import { TurnProblem } from "./problem.ts"
import { isUnattended, type LastStep, type Run, setCommands } from "./run.ts"
import { replyStreamed } from "./streamed-reply.ts"

const MAX_INSTRUCTIONS_CHARS = 500_000
const MAX_TOOLS = 128
const TOOL_NAME = /^[a-zA-Z_][\w-]{0,63}$/

export type MadeContext = {
  readonly ctx: HandlerContext
  /** The last reply. */
  readonly said: () => string
}

type ContextInput = {
  readonly message: MessageRow
  readonly wake: HandlerWake
  readonly acts: Acts
  /** The steps of the standard turn. */
  readonly steps: () => Promise<LastStep>
  /** How long a stream that it replies with may be silent. */
  readonly idleMs: number
}

export function handlerContext(run: Run, { message, wake, acts, steps, idleMs }: ContextInput): MadeContext {
  const { node, parts } = run
  const { owner } = parts
  const { address } = owner
  const { signal } = parts.abort
  const { act } = acts
  const agent = run.brief.speaker.name
  const { person } = owner.address
  const actor = { person, by: `agent:${agent}`, turn: run.turn.id, txid: owner.txid, owner, signal }
  const done = { runs: 0, replies: 0, asks: 0, wakeups: 0, changes: 0, sends: 0 }
  const askToChange: AskToChange = async (question) => {
    const call = `memory-${++done.changes}`
    if (isUnattended(run)) return undefined
    const asking = ask(node, { owner, turn: run.turn, signal }, { kind: "approval", ...question, call })
    return orHandedOver(node, signal, asking)
  }
  let said = ""
  const ctx: HandlerContext = {
    wake,
    get message() {
      return run.message ?? message
    },
    address,
    turn: run.turn.id,
    signal,
    log: logOf(run),
    now: () => node.clock.now(),
    skills: run.skills,
    slashCommands: slashCommands(run, wake, acts),
    conversation: conversationView(run),
    memory: ordered(memoryAccess(node, address, agent, askToChange), acts),
    workspace: ordered(workspaceOf(node, owner.stream, actor), acts),
    schedule: ordered(
      wakeupsOf(node, { owner, turn: run.turn }, () => `handler-${++done.wakeups}`),
      acts,
    ),
    ...ordered(
      agentMessages(run, () => `handler-${++done.sends}`),
      acts,
    ),
    run: () =>
      act(async (): Promise<Ran> => {
        const ran = await runStandard(run, done.runs++, steps)
        said = ran.text
        return ran
      }),
    reply: (given) => {
      const act = async (): Promise<Ran> => {
        const number = ++done.replies
        const isText = typeof given === "string" || given === undefined || given === null
        const ran = isText
          ? await reply(run, number, given)
          : await replyStreamed(run, given, { number, idleMs, isBusy: acts.isBusy })
        said = ran.text
        return ran
      }
      return typeof given === "string" ? acts.act(act) : acts.stream(act)
    },
    ask: (question) =>
      acts.aside(async () => {
        const call = `handler-${++done.asks}`
        if (isUnattended(run)) return undefined
        const asking = ask(node, { owner, turn: run.turn, signal }, { detail: "", ...asked(question), call })
        return orHandedOver(node, signal, asking)
      }),
    insertContext: (context) => act(() => insertContext(run, context)),
    instruct: (text) => instruct(run, text),
    offer: (tool) => offer(run, tool),
  }
  return { ctx, said: () => said }
}

function asked(question: Question | string): Question {
  return typeof question === "string" ? { kind: "question", title: question } : question
}

/** The same text a second time changes nothing. */
function instruct(run: Run, text: string): void {
  const { instructions } = run.brief
  if (instructions.includes(text)) return
  if (instructions.length + text.length > MAX_INSTRUCTIONS_CHARS)
    throw new TurnProblem("handler.failed", `Instructions have at most ${MAX_INSTRUCTIONS_CHARS} characters.`)
  run.brief = { ...run.brief, instructions: instructions === "" ? text : `${instructions}\n\n${text}` }
}

function offer(run: Run, tool: Tool): void {
  if (!TOOL_NAME.test(tool.name)) throw new TurnProblem("handler.failed", `"${tool.name}" is not a valid tool name.`)
  const others = run.brief.tools.filter(({ name }) => name !== tool.name)
  if (others.length >= MAX_TOOLS) throw new TurnProblem("handler.failed", `A turn has at most ${MAX_TOOLS} tools.`)
  run.brief = { ...run.brief, tools: [...others, tool] }
}

function slashCommands(run: Run, wake: HandlerWake, { act }: Acts): SlashCommands {
  const base = lentCommands(run.node.toolsets, run.brief.speaker)
  const change = (make: (now: Commands) => Commands) => act(() => setCommands(run, make(run.commands)))
  return {
    get: (name) => run.commands.get(name),
    list: () => [...run.commands.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    invoked: () =>
      commandsIn(wake).map((command) => invokedCommand(command, run.commands.get(command.name)?.arguments ?? [])),
    register: async (command) => {
      await change((now) => registered(now, command))
    },
    unregister: (name) => change((now) => unregistered(now, name, base)),
    replaceOwned: async (owner, commands) => {
      await change((now) => ownedReplaced(now, owner, commands, base))
    },
  }
}

/** The same methods, each as an act of the turn. Tools of a streamed reply may use them. */
function ordered<Access extends object>(access: Access, { aside }: Acts): Access {
  const verbs = Object.entries(access as Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>)
  return Object.fromEntries(
    verbs.map(([name, verb]) => [name, (...args: unknown[]) => aside(() => verb(...args))]),
  ) as Access
}

function logOf({ node, brief, turn }: Run): Log {
  const about = { agent: brief.speaker.name, turn: turn.id }
  return {
    info: (line, fields) => node.log.info(line, { ...fields, ...about }),
    warn: (line, fields) => node.log.warn(line, { ...fields, ...about }),
    error: (line, fields) => node.log.error(line, { ...fields, ...about }),
  }
}
