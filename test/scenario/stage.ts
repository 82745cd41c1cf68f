/** A conversation on a real store with a scripted model: send, wait for what the log says, read the transcript. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type Agent,
  createRuntime,
  type Files,
  type Runtime,
  type Settings,
  type Store,
  silentLog,
  type Tool,
} from "@parlor/core"
import { MemorySpool, type Script, type ScriptedModel, scriptedModel } from "@parlor/core/testing"
import {
  type ChangeEvent,
  changeOf,
  emptyRows,
  fold,
  type MessageRow,
  type Rows,
  type SendMode,
  type StreamId,
  type TxId,
} from "@parlor/protocol"
import { randomIds, systemClock, systemRandom } from "@parlor/server"
import { openSqlite } from "@parlor/store"

export type Stage = {
  readonly runtime: Runtime
  readonly store: Store
  readonly model: ScriptedModel
  readonly folder: string
  send(text: string, options?: StageSend): ReturnType<Runtime["send"]>
  rows(): Promise<Rows>
  log(): Promise<readonly ChangeEvent[]>
  /** Resolves when the rows are as wanted; looks after every change of the log. */
  until(wanted: (rows: Rows) => boolean): Promise<Rows>
  idle(): Promise<Rows>
  transcript(): Promise<string[]>
  close(): Promise<void>
}

type StageSend = {
  readonly mode?: SendMode
  readonly key?: string
  readonly position?: string
  readonly guests?: readonly string[]
}

export type StageOptions = {
  readonly scripts?: readonly Script[]
  readonly fallback?: Script
  readonly tools?: readonly Tool[]
  readonly folder?: string
  readonly settings?: Partial<Settings>
  readonly agent?: Partial<Agent>
  /** Besides the conversation's own agent. */
  readonly others?: readonly Agent[]
  readonly store?: Store
  readonly files?: Files
}

export const address = { agent: "crab", person: "ana", branch: "main" } as const
export const txid = "tx_test" as TxId

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "parlor-scenario-")))
  const store = options.store ?? (await openSqlite({ path: join(folder, "parlor.db") }))
  const model = scriptedModel(options.scripts ?? [], options.fallback ? { fallback: options.fallback } : {})
  const agent: Agent = {
    name: "crab",
    description: "A crab.",
    instructions: "Be a crab.",
    model,
    tools: options.tools ?? [],
    slashCommands: [],
    ...options.agent,
  }
  const runtime = createRuntime({
    store,
    ...(options.files === undefined ? {} : { files: options.files }),
    spool: new MemorySpool(),
    clock: systemClock,
    ids: randomIds(systemClock),
    random: systemRandom,
    log: silentLog,
    agents: [agent, ...(options.others ?? [])],
    settings: { drainDelayMs: 5, ...options.settings },
  })
  await runtime.start()
  const eventsAfter = async (stream: StreamId, seq: number) => {
    const page = await store.log.events(stream, seq, { count: 1_000_000, bytes: Number.MAX_SAFE_INTEGER })
    return (page?.changes ?? []).map(changeOf)
  }
  const log = async () => eventsAfter((await runtime.conversation(address)).id, 0)
  const rows = async () => fold(emptyRows(), await log())
  const until = async (wanted: (rows: Rows) => boolean) => {
    const stream = await runtime.conversation(address)
    const seen: ChangeEvent[] = []
    for (;;) {
      let changed = () => {}
      const change = new Promise<void>((resolve) => {
        changed = resolve
      })
      const unsubscribe = runtime.subscribe(stream.id, changed)
      try {
        // Only what is new is read: a look after every change would otherwise read the whole log each time.
        seen.push(...(await eventsAfter(stream.id, seen.length)))
        const now = fold(emptyRows(), seen)
        if (wanted(now)) return now
        await change
      } finally {
        unsubscribe()
      }
    }
  }
  return {
    runtime,
    store,
    model,
    folder,
    log,
    rows,
    until,
    send: (text, { mode = "immediate", key, position, guests } = {}) =>
      runtime.send(address, {
        type: "composer_input",
        payload: { source: text },
        mode,
        source: "person",
        txid: runtime.txid(),
        ...(position === undefined ? {} : { position }),
        ...(guests === undefined ? {} : { guests }),
        ...(key === undefined ? {} : { key: { key, hash: text } }),
      }),
    idle: () => until((now) => now.status.get("status")?.turn === null && isDrained(now)),
    transcript: async () => [...(await rows()).messages.values()].sort((a, b) => a.ord - b.ord).map(line),
    async close() {
      await runtime.close()
      await store.close()
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

function isDrained(rows: Rows): boolean {
  return rows.status.get("status")?.held != null || ![...rows.queue.values()].some((row) => row.mode !== "paused")
}

function line(message: MessageRow): string {
  const said = message.parts.map((part) => {
    if (part.type === "text") return part.text
    return part.type === "tool"
      ? `[${part.name} ${part.state}: ${JSON.stringify(part.output ?? part.error?.code)}]`
      : `[${part.type}]`
  })
  return `${message.author || message.role}${message.state === "done" ? "" : ` (${message.state})`}: ${said.join("")}`
}
