/**
 * Everything a server needs from the core, as one object. It has no logic of its own: each method is a function of its
 * concept, bound to this process's `Node`.
 */
import type { Millis, StreamId, TxId } from "@parlor/protocol"
import type { Agent } from "./agent/agent.ts"
import type { Toolsets } from "./agent/toolsets.ts"
import { answer, askAt } from "./ask/ask.ts"
import { listGrants, revokeGrant } from "./ask/grants.ts"
import { listBranches } from "./branch/children.ts"
import { cancelRollback } from "./command/cancel-rollback.ts"
import { clear, edit, hold, lease, release, removeQueued, resume as resumeQueue } from "./command/change-queue.ts"
import { compact, openArchive, undoCompaction } from "./command/compact.ts"
import { deleteDue, removeLater } from "./command/delete-later.ts"
import { deletePerson, sweepDeletions } from "./command/delete-person.ts"
import { mergeSidecar } from "./command/merge-sidecar.ts"
import { remove } from "./command/remove.ts"
import { retain } from "./command/retain.ts"
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
import { rate } from "./conversation/rate.ts"
import { history, snapshot } from "./conversation/snapshot.ts"
import { stateChanges } from "./conversation/state-view.ts"
import { beginDraining, drained, handOverDrive } from "./drive/drain.ts"
import { ownsNothing } from "./drive/drive-access.ts"
import { Periodic } from "./drive/periodic.ts"
import { stop } from "./drive/stop.ts"
import { heard, renew, resume, show, sweep, sweepDeleted } from "./drive/watch-over.ts"
import { noBriefs } from "./inspector/brief.ts"
import { inspectTurn, inspectTurns } from "./inspector/inspect.ts"
import { conversationAt, feedStream } from "./log/address.ts"
import { keepAnswer, keptAnswer } from "./log/answers.ts"
import { ConversationCache } from "./log/cache.ts"
import { Fenced } from "./log/decide.ts"
import { DecisionQueue } from "./log/decision-queue.ts"
import { Draining } from "./log/draining.ts"
import { Hub } from "./log/hub.ts"
import { Writer } from "./log/writer.ts"
import { deleteMemory, listMemories, readMemory, writeMemory } from "./memory/memory.ts"
import { defaultSettings, type Node, type Settings } from "./node.ts"
import type { Clock } from "./ports/clock.ts"
import type { Courier } from "./ports/courier.ts"
import type { Files } from "./ports/files.ts"
import type { Ids } from "./ports/ids.ts"
import { type Log, reasonFields } from "./ports/log.ts"
import { type ModelProviders, PROVIDERS_CHANGED } from "./ports/providers.ts"
import type { PushSender } from "./ports/pushes.ts"
import type { Random } from "./ports/random.ts"
import type { Sandbox } from "./ports/sandbox.ts"
import type { Seal } from "./ports/seal.ts"
import type { Spool } from "./ports/spool.ts"
import type { Store } from "./ports/store.ts"
import { readPreferences, writePreferences } from "./preference/preferences.ts"
import { keepUpWithProviders, resealProviders } from "./provider/accounts.ts"
import { connectProvider, disconnectProvider, listProviders, testProvider } from "./provider/connect.ts"
import { noAccounts } from "./provider/provider-access.ts"
import { partsOf } from "./push/push-access.ts"
import { resealPushKeys } from "./push/push-keys.ts"
import { Pusher } from "./push/pusher.ts"
import { listPush, readPush, subscribePush, testPush, unsubscribePush } from "./push/subscriptions.ts"
import { keepUp } from "./quota/keep-up.ts"
import { SharedRates } from "./rate/shared-rates.ts"
import { previewRollback } from "./rollback/preview.ts"
import { Alarm } from "./schedule/alarm.ts"
import { search } from "./search/search.ts"
import { stillShared } from "./share/open-share.ts"
import {
  sharedAttachment,
  sharedConversation,
  sharedFile,
  sharedFiles,
  sharedMessages,
  sharedStream,
} from "./share/read-shared.ts"
import { listShared, listShares, makeShare, revokeShare } from "./share/share.ts"
import { agentView, agentViewsFor } from "./slash-command/agent-view.ts"
import { exportLines } from "./transfer/export.ts"
import { importLines } from "./transfer/import.ts"
import { fireDue } from "./trigger/fire.ts"
import { Notifier } from "./trigger/notifier.ts"
import { observeDue } from "./trigger/observed.ts"
import { nothingIncoming } from "./trigger/trigger-access.ts"
import { triggerVerbs } from "./trigger/verbs.ts"
import { readOutput, readPicture } from "./turn/read-output.ts"
import { turnAt } from "./turn/turn-at.ts"
import { DayTotals } from "./usage/day-totals.ts"
import { Gate } from "./usage/gate.ts"
import { listPeople, usageTotals, usageView } from "./usage/usage-view.ts"
import { noWorkspaces } from "./workspace/file-access.ts"
import { changesOf, fileOf, filesOf, putFile, removeFile } from "./workspace/people.ts"

/** How often all outgoing webhooks are checked, for events this process did not hear of. */
const NOTICES_MS = 30_000
const UPKEEP_MS = 60_000
const RETAIN_MS = 60 * 60_000

export type RuntimeParts = {
  /** The name of this process among those that share the store; generated if omitted. */
  readonly name?: string | undefined
  readonly store: Store
  readonly files?: Files
  /** Runs the commands of agents; without it, none run. */
  readonly sandbox?: Sandbox
  readonly courier?: Courier
  /** Sends web push; without it, nothing is pushed (APP-6). */
  readonly pushSender?: PushSender
  readonly seal?: Seal
  readonly toolsets?: Toolsets
  /** Model providers that the owner may connect (MOD-15). */
  readonly providers?: ModelProviders
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
  const deletedListeners = new Set<(stream: StreamId) => void>()
  const cut = (streams: readonly StreamId[]) => {
    for (const stream of streams) for (const listener of deletedListeners) listener(stream)
  }
  const settings = { ...defaultSettings, ...parts.settings }
  const shared = new SharedRates(parts.clock, parts.store.shareRates?.bind(parts.store))
  const newRates = (name: string) => shared.add(name)
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
    draining: new Draining(),
    feeds: new Map(),
    workspaces: noWorkspaces(),
    briefs: noBriefs(),
    incoming: nothingIncoming(newRates),
    accounts: noAccounts(),
    ...(parts.providers === undefined ? {} : { providers: parts.providers }),
    ...ownsNothing(),
    gate: new Gate(parts.clock, settings.usage.rates, newRates),
    dayTotals: new DayTotals(parts.store, parts.clock),
    alarm: new Alarm({
      clock: parts.clock,
      ring: async () => earliest(earliest(await fireDue(node), await deleteDue(node, cut)), await observeDue(node)),
    }),
    realFolder: (agent) => agents.get(agent)?.folder,
    messenger: {
      send: (address, message) => send(node, address, message),
      make: (address, txid) => spawnConversation(node, address, txid),
    },
    ...(parts.sandbox === undefined ? {} : { sandbox: parts.sandbox }),
    ...(parts.courier === undefined ? {} : { courier: parts.courier }),
    ...(parts.pushSender === undefined ? {} : { pushSender: parts.pushSender }),
    ...(parts.seal === undefined ? {} : { seal: parts.seal }),
    tell: (person, options) => notifier?.tell(person, options),
    announce: (announced) => pusher?.announce(announced),
  }
  const notifier = parts.courier && new Notifier(node, parts.courier)
  const pushParts = partsOf(node)
  const pusher = pushParts && new Pusher(node, pushParts)
  const periodic = new Periodic(parts)
  const followProviders = () =>
    void keepUpWithProviders(node).catch((error) =>
      node.log.warn("connected model providers could not be read", reasonFields(error)),
    )
  let unwatch: (() => void) | undefined
  let hasStarted = false
  return {
    agents: () => [...agents.values()].map((agent) => agentView(agent, parts.toolsets)),
    /** With the model that new conversations of this person begin with (SET-9). */
    agentsFor: bind(node, agentViewsFor),
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
    rate: bind(node, rate),
    listGrants: bind(node, listGrants),
    revokeGrant: bind(node, revokeGrant),
    makeShare: bind(node, makeShare),
    listShares: bind(node, listShares),
    revokeShare: bind(node, revokeShare),
    listShared: bind(node, listShared),
    stillShared: bind(node, stillShared),
    sharedConversation: bind(node, sharedConversation),
    sharedMessages: bind(node, sharedMessages),
    sharedStream: bind(node, sharedStream),
    sharedAttachment: bind(node, sharedAttachment),
    sharedFiles: bind(node, sharedFiles),
    sharedFile: bind(node, sharedFile),
    snapshot: bind(node, snapshot),
    history: bind(node, history),
    list: bind(node, list),
    mark: bind(node, mark),
    models: bind(node, listModels),
    setModel: bind(node, setModelSettings),
    readPreferences: bind(node, readPreferences),
    writePreferences: bind(node, writePreferences),
    readPush: bind(node, readPush),
    listPush: bind(node, listPush),
    subscribePush: bind(node, subscribePush),
    unsubscribePush: bind(node, unsubscribePush),
    testPush: bind(node, testPush),
    resealPushKeys: bind(node, resealPushKeys),
    providers: bind(node, listProviders),
    connectProvider: bind(node, connectProvider),
    testProvider: bind(node, testProvider),
    disconnectProvider: bind(node, disconnectProvider),
    resealProviders: bind(node, resealProviders),
    remove: bind(node, remove),
    removeLater: bind(node, removeLater),
    /** Called with each conversation that is deleted because its time has come. */
    onDeleted: (listener: (stream: StreamId) => void): void => void deletedListeners.add(listener),
    deletePerson: bind(node, deletePerson),
    /** Deletes what is no longer kept (LOG-40). Also done every hour. */
    retain: () => retain(node, cut),
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
    readPicture: bind(node, readPicture),
    listMemories: bind(node, listMemories),
    readMemory: bind(node, readMemory),
    writeMemory: bind(node, writeMemory),
    deleteMemory: bind(node, deleteMemory),
    stateChanges: bind(node, stateChanges),
    usage: bind(node, usageView),
    usageTotals: bind(node, usageTotals),
    people: bind(node, listPeople),
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
    /** How many conversations this process owns. */
    get owned() {
      return node.drives.size
    },
    /** The address of a conversation that this process owns. */
    ownedAt: (stream: StreamId) => node.drives.get(stream)?.address,
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
        (streams) => {
          if (streams.includes(PROVIDERS_CHANGED)) followProviders()
          heard(node, streams)
        },
        (streams) => void resume(node, streams),
      )
      periodic.every(node.settings.renewMs, () => renew(node))
      periodic.every(node.settings.sweepMs, () => sweep(node))
      periodic.every(node.settings.sweepMs, () => sweepDeleted(node))
      periodic.every(node.settings.sweepMs, () => sweepDeletions(node))
      followProviders()
      periodic.every(node.settings.sweepMs, () => keepUpWithProviders(node))
      node.alarm.start()
      // Not awaited: firings that are due can stay due a little longer.
      void node.alarm.ring()
      periodic.every(node.settings.sweepMs, () => node.alarm.ring())
      const upkeep = () => keepUp(node, () => periodic.isRunning)
      for (const work of [upkeep, () => sweepDeletions(node)])
        work().catch((error) => periodic.isRunning && node.log.warn("upkeep failed", reasonFields(error)))
      periodic.every(UPKEEP_MS, upkeep)
      periodic.every(RETAIN_MS, () => retain(node, cut))
      notifier?.start()
      await notifier?.sweep()
      if (notifier !== undefined) periodic.every(NOTICES_MS, () => notifier.sweep())
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
      periodic.stop()
      shared.close()
      notifier?.stop()
      pusher?.stop()
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

function earliest(one: Millis | undefined, other: Millis | undefined): Millis | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.min(one, other)
}
