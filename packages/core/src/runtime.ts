/**
 * Everything a server needs from the core, as one object. It has no logic of its own: each method is a function of its
 * concept, bound to this process's `Node`.
 */
import type { StreamId, TxId } from "@parlor/protocol"
import type { Agent } from "./agent/agent.ts"
import type { Toolsets } from "./agent/toolsets.ts"
import { answer, askAt } from "./ask/ask.ts"
import { listBranches } from "./branch/children.ts"
import { cancelRollback } from "./command/cancel-rollback.ts"
import { clear, edit, hold, lease, release, removeQueued, resume as resumeQueue } from "./command/change-queue.ts"
import { compact, openArchive, undoCompaction } from "./command/compact.ts"
import { deletePerson, sweepDeletions } from "./command/delete-person.ts"
import { mergeSidecar } from "./command/merge-sidecar.ts"
import { remove } from "./command/remove.ts"
import { rollBack } from "./command/roll-back.ts"
import { send } from "./command/send.ts"
import { sendNow } from "./command/send-now.ts"
import { closeSidecar, keepSidecar } from "./command/sidecar.ts"
import { spawnBranch, spawnConversation } from "./command/spawn.ts"
import { archivePage } from "./compaction/archive-page.ts"
import { attach, deleteAttachment, listAttachments, readAttachment } from "./composer/attach.ts"
import { list } from "./conversation/list.ts"
import { mark } from "./conversation/mark.ts"
import { listModels, setModelSettings } from "./conversation/model-settings.ts"
import { queuePage } from "./conversation/queue-page.ts"
import { history, snapshot } from "./conversation/snapshot.ts"
import { stateChanges } from "./conversation/state-view.ts"
import { beginDraining, drained, handOverDrive } from "./drive/drain.ts"
import { ownsNothing } from "./drive/drive-access.ts"
import type { Drive } from "./drive/owned.ts"
import { recover } from "./drive/recover.ts"
import { stop } from "./drive/stop.ts"
import { noBriefs } from "./inspector/brief.ts"
import { inspectTurn, inspectTurns } from "./inspector/inspect.ts"
import { conversationAt, feedStream } from "./log/address.ts"
import { keepAnswer, keptAnswer } from "./log/answers.ts"
import { ConversationCache } from "./log/cache.ts"
import { Fenced } from "./log/decide.ts"
import { DecisionQueue } from "./log/decision-queue.ts"
import { Hub } from "./log/hub.ts"
import { Writer } from "./log/writer.ts"
import { deleteMemory, listMemories, readMemory, writeMemory } from "./memory/memory.ts"
import { defaultSettings, type Node, type Settings } from "./node.ts"
import type { Clock } from "./ports/clock.ts"
import type { Courier } from "./ports/courier.ts"
import type { Files } from "./ports/files.ts"
import type { Ids } from "./ports/ids.ts"
import { type Log, reasonFields } from "./ports/log.ts"
import type { Random } from "./ports/random.ts"
import type { Seal } from "./ports/seal.ts"
import type { Spool } from "./ports/spool.ts"
import type { Store } from "./ports/store.ts"
import { keepUp } from "./quota/keep-up.ts"
import { previewRollback } from "./rollback/preview.ts"
import { Alarm } from "./schedule/alarm.ts"
import { search } from "./search/search.ts"
import { agentView } from "./slash-command/agent-view.ts"
import { exportLines } from "./transfer/export.ts"
import { importLines } from "./transfer/import.ts"
import { fireDue } from "./trigger/fire.ts"
import { Notifier } from "./trigger/notifier.ts"
import { nothingIncoming } from "./trigger/trigger-access.ts"
import { triggerVerbs } from "./trigger/verbs.ts"
import { readOutput } from "./turn/read-output.ts"
import { turnAt } from "./turn/turn-at.ts"
import { DayTotals } from "./usage/day-totals.ts"
import { Gate } from "./usage/gate.ts"
import { usageView } from "./usage/usage-view.ts"
import { noWorkspaces } from "./workspace/file-access.ts"
import { changesOf, fileOf, filesOf, putFile, removeFile } from "./workspace/people.ts"

const ORPHANS_AT_ONCE = 100
/** Slices of abandoned imports deleted per sweep. */
const IMPORT_SLICES = 100
/** How often all outgoing webhooks are checked, for events this process did not hear of. */
const NOTICES_MS = 30_000
const UPKEEP_MS = 60_000

export type RuntimeParts = {
  /** The name of this process among those that share the store; generated if omitted. */
  readonly name?: string | undefined
  readonly store: Store
  readonly files?: Files
  readonly courier?: Courier
  readonly seal?: Seal
  readonly toolsets?: Toolsets
  readonly spool: Spool
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly log: Log
  readonly agents: readonly Agent[]
  readonly settings?: Partial<Settings>
}

export type Runtime = ReturnType<typeof createRuntime>

export function createRuntime(parts: RuntimeParts) {
  const hub = new Hub()
  const agents = new Map(parts.agents.map((agent) => [agent.name, agent]))
  const cache = new ConversationCache()
  const decisions = new DecisionQueue(parts.clock)
  const settings = { ...defaultSettings, ...parts.settings }
  const node: Node = {
    name: parts.name ?? parts.ids.next("node"),
    store: parts.store,
    ...(parts.files === undefined ? {} : { files: parts.files }),
    ...(parts.toolsets === undefined ? {} : { toolsets: parts.toolsets }),
    writer: new Writer({
      ...parts,
      publish: (stream, changes) => hub.publish(stream, changes),
      onWrite: (stream) => cache.forget(stream),
      onFailed: () => decisions.open(),
      onReplayed: (streams) => {
        for (const stream of streams) node.paused.add(stream)
        void resume(node, streams)
      },
      onSkipped: (stream, head) => void show(node, stream, head),
    }),
    hub,
    clock: parts.clock,
    ids: parts.ids,
    random: parts.random,
    log: parts.log,
    agents,
    settings,
    imports: new Set(),
    importsByPerson: new Map(),
    clearedPeople: new Set(),
    usedBytes: new Map(),
    cache,
    decisions,
    draining: new AbortController(),
    feeds: new Map(),
    workspaces: noWorkspaces(),
    briefs: noBriefs(),
    incoming: nothingIncoming(),
    ...ownsNothing(),
    gate: new Gate(parts.clock, settings.usage.rates),
    dayTotals: new DayTotals(parts.store, parts.clock),
    alarm: new Alarm({ clock: parts.clock, ring: () => fireDue(node) }),
    ...(parts.courier === undefined ? {} : { courier: parts.courier }),
    ...(parts.seal === undefined ? {} : { seal: parts.seal }),
    tell: (person, options) => notifier?.tell(person, options),
  }
  const notifier = parts.courier && new Notifier(node, parts.courier)
  const timers = new Set<() => void>()
  let unwatch: (() => void) | undefined
  let hasStarted = false
  return {
    agents: () => [...agents.values()].map((agent) => agentView(agent, parts.toolsets)),
    /** MCP server status (TRG-6). */
    mcpServers: (person: string) => parts.toolsets?.status(person) ?? [],
    pinMcpTool: async (server: string, tool: string, hash: string) =>
      (await parts.toolsets?.pin(server, tool, hash)) ?? false,
    /** Running turns continue as they began; later turns use the agents given here. */
    replaceAgents(next: readonly Agent[]): void {
      agents.clear()
      for (const agent of next) agents.set(agent.name, agent)
    },
    send: bind(node, send),
    stop: bind(node, stop),
    sendNow: bind(node, sendNow),
    edit: bind(node, edit),
    lease: bind(node, lease),
    release: bind(node, release),
    removeQueued: bind(node, removeQueued),
    clear: bind(node, clear),
    hold: bind(node, hold),
    resume: bind(node, resumeQueue),
    answer: bind(node, answer),
    snapshot: bind(node, snapshot),
    history: bind(node, history),
    list: bind(node, list),
    mark: bind(node, mark),
    models: bind(node, listModels),
    setModel: bind(node, setModelSettings),
    remove: bind(node, remove),
    deletePerson: bind(node, deletePerson),
    makeBranch: bind(node, spawnBranch),
    listBranches: bind(node, listBranches),
    keepSidecar: bind(node, keepSidecar),
    mergeSidecar: bind(node, mergeSidecar),
    closeSidecar: bind(node, closeSidecar),
    previewRollback: bind(node, previewRollback),
    rollBack: bind(node, rollBack),
    cancelRollback: bind(node, cancelRollback),
    exportLines: bind(node, exportLines),
    importLines: bind(node, importLines),
    keptAnswer: bind(node, keptAnswer),
    keepAnswer: bind(node, keepAnswer),
    make: bind(node, spawnConversation),
    conversation: bind(node, conversationAt),
    turn: bind(node, turnAt),
    ask: bind(node, askAt),
    attach: bind(node, attach),
    readAttachment: bind(node, readAttachment),
    attachments: bind(node, listAttachments),
    deleteAttachment: bind(node, deleteAttachment),
    search: bind(node, search),
    inspectTurns: bind(node, inspectTurns),
    inspectTurn: bind(node, inspectTurn),
    compact: bind(node, compact),
    archives: bind(node, archivePage),
    queuePage: bind(node, queuePage),
    openArchive: bind(node, openArchive),
    undoCompaction: bind(node, undoCompaction),
    files: bind(node, filesOf),
    readFile: bind(node, fileOf),
    writeFile: bind(node, putFile),
    removeFile: bind(node, removeFile),
    fileChanges: bind(node, changesOf),
    readOutput: bind(node, readOutput),
    listMemories: bind(node, listMemories),
    readMemory: bind(node, readMemory),
    writeMemory: bind(node, writeMemory),
    deleteMemory: bind(node, deleteMemory),
    stateChanges: bind(node, stateChanges),
    usage: bind(node, usageView),
    ...triggerVerbs(node),
    feed: async (person: string) => {
      await feedStream(node, person)
      return parts.store.log.ensure({ kind: "feed", person })
    },
    events: parts.store.log.events.bind(parts.store),
    subscribe: hub.subscribe.bind(hub),
    txid: () => parts.ids.next("tx") as TxId,
    /** Whether the work left from before was taken over. */
    get hasStarted() {
      return hasStarted
    },
    get storeIsDown() {
      return node.writer.down
    },
    /** Replays the spool, takes over what a dead process left, and renews its own leases. */
    async start(): Promise<void> {
      await node.writer.recover()
      await sweep(node)
      hasStarted = true
      unwatch = node.store.watch?.(
        () => [...hub.streams, ...node.drives.keys()],
        (streams) => heard(node, streams),
        (streams) => void resume(node, streams),
      )
      every(node, timers, node.settings.renewMs, () => renew(node))
      every(node, timers, node.settings.sweepMs, () => sweep(node))
      every(node, timers, node.settings.sweepMs, () => sweepImports(node))
      every(node, timers, node.settings.sweepMs, () => sweepDeletions(node))
      node.alarm.start()
      // Not awaited: firings that are due can stay due a little longer.
      void node.alarm.ring()
      every(node, timers, node.settings.sweepMs, () => node.alarm.ring())
      const upkeep = () => keepUp(node, () => timers.size > 0)
      for (const work of [upkeep, () => sweepDeletions(node)])
        work().catch((error) => timers.size > 0 && node.log.warn("upkeep failed", reasonFields(error)))
      every(node, timers, UPKEEP_MS, upkeep)
      notifier?.start()
      await notifier?.sweep()
      if (notifier !== undefined) every(node, timers, NOTICES_MS, () => notifier.sweep())
    },
    /** Whether it is about to stop, so that requests should go elsewhere. */
    get isDraining() {
      return node.draining.signal.aborted
    },
    /**
     * Starts nothing new, and hands each conversation over as soon as its running step has ended. Resolves when none is
     * left, or after this time (TRN-17).
     */
    async drain(ms: number): Promise<void> {
      beginDraining(node)
      await drained(node, ms)
    },
    /** Releases everything. Turns stay in the log as running, and the next process resumes them. */
    async close(): Promise<void> {
      beginDraining(node)
      for (const cancel of timers) cancel()
      timers.clear()
      notifier?.stop()
      await node.alarm.stop()
      const drives = [...node.drives.values()]
      for (const drive of drives) drive.current?.abort.abort(new Fenced())
      await Promise.all(drives.map((drive) => handOverDrive(node, drive)))
      await node.writer.close()
      // Only now: the others are notified of what was handed over.
      unwatch?.()
      // Otherwise a drive that waits for an editor would look and wait again.
      node.drives.clear()
      for (const drive of drives) drive.poke()
      await Promise.all(drives.map((drive) => drive.over))
    },
  }
}

function bind<A extends readonly unknown[], R>(node: Node, verb: (node: Node, ...args: A) => R): (...args: A) => R {
  return (...args) => verb(node, ...args)
}

/** Another process wrote: readers read again, and so does a drive that waits for its queue. */
function heard(node: Node, streams: readonly StreamId[]): void {
  for (const stream of streams) {
    node.hub.publish(stream, [])
    const drive = node.drives.get(stream)
    if (drive === undefined) continue
    drive.poke()
    void letGoIfTaken(node, drive)
  }
}

/** A turn whose model is silent would otherwise learn only with the next renewal that it was stopped elsewhere. */
async function letGoIfTaken(node: Node, drive: Drive): Promise<void> {
  try {
    const now = await node.store.log.read(drive.stream, [])
    if (now === undefined || now.stream.epoch > drive.epoch) drive.current?.abort.abort(new Fenced())
  } catch {
    // The next write or renewal finds out.
  }
}

async function sweep(node: Node): Promise<void> {
  const orphans = await node.store.log.orphans(ORPHANS_AT_ONCE)
  await resume(node, new Set([...node.paused, ...orphans.map((stream) => stream.id)]))
}

/** Deletes abandoned imports. The rest of a long one is deleted in later sweeps. */
async function sweepImports(node: Node): Promise<void> {
  for (let slice = 0; slice < IMPORT_SLICES && (await node.store.log.dropImports()); slice++);
}

/** Readers read everything before the event they are shown from the store, so the last one is enough. */
async function show(node: Node, stream: StreamId, head: number): Promise<void> {
  try {
    const page = await node.store.log.events(stream, head - 1, { count: 1, bytes: 1 })
    if (page !== undefined) node.hub.publish(stream, page.changes)
  } catch (error) {
    node.log.warn("could not publish written events", reasonFields(error))
  }
}

async function resume(node: Node, streams: Iterable<StreamId>): Promise<void> {
  for (const stream of streams) {
    if (node.draining.signal.aborted) return
    const paused = node.paused.delete(stream)
    try {
      await recover(node, stream, { paused })
    } catch (error) {
      if (paused) node.paused.add(stream)
      node.log.warn("could not resume", reasonFields(error))
    }
  }
}

async function renew(node: Node): Promise<void> {
  if (node.drives.size + node.imports.size === 0) return
  const lost = await node.store.log.renew(node.name, [...node.drives.keys(), ...node.imports], node.settings.leaseMs)
  for (const stream of lost) node.drives.get(stream)?.current?.abort.abort(new Fenced())
}

function every(node: Node, timers: Set<() => void>, ms: number, work: () => Promise<void>): void {
  let cancel = () => {}
  const forget = () => cancel()
  const again = () => {
    cancel = node.clock.after(ms, () => {
      work()
        .catch((error) => node.log.warn("periodic work failed", reasonFields(error)))
        .finally(() => timers.has(forget) && again())
    })
  }
  timers.add(forget)
  again()
}
