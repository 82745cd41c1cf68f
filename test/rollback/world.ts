/** A runtime on a store and a disk in memory, with a model that answers and sums up with a numbered word. */
import {
  createRuntime,
  defaultRunSettings,
  type Files,
  type Ids,
  type Model,
  type ModelRequest,
  type Runtime,
  type Sandbox,
  type Settings,
  type Store,
  SUMMARY_INSTRUCTIONS,
  silentLog,
} from "@parlor/core"
import { countingIds, FakeClock, MemoryFiles, MemorySpool } from "@parlor/core/testing"
import { COMPOSER_INPUT, emptyUsage, type Snapshot } from "@parlor/protocol"

const person = "ana"
const agent = "crab"
/** More than any of these conversations has. */
const ALL = 1_000

export type World = {
  readonly runtime: Runtime
  readonly store: Store
  readonly clock: FakeClock
  readonly disk: MemoryFiles
  readonly requests: readonly ModelRequest[]
  at(branch: string): { readonly agent: string; readonly person: string; readonly branch: string }
  /** Sends, waits for the answer, and gives the messages that came. */
  say(branch: string, text: string, options?: { readonly messages: number }): Promise<Snapshot["messages"]>
  open(branch: string): Promise<Snapshot>
  /** Resolves when nothing runs there any more. */
  rest(branch: string): Promise<Snapshot>
  /** What lies on this conversation's disk. */
  folder(branch: string): Promise<Parameters<MemoryFiles["byHand"]>[0]>
  close(): Promise<void>
}

export type WorldOptions = {
  readonly store: (clock: FakeClock) => Promise<Store> | Store
  readonly clock?: FakeClock
  readonly disk?: MemoryFiles
  readonly model?: Model
  /** Those of the process before, when there was one: ids are never given twice. */
  readonly ids?: Ids
  readonly settings?: Partial<Settings>
}

export async function openWorld(options: WorldOptions): Promise<World> {
  const clock = options.clock ?? new FakeClock()
  const disk = options.disk ?? new MemoryFiles()
  const store = await options.store(clock)
  const requests: ModelRequest[] = []
  const model = options.model ?? answering(requests)
  const runtime = createRuntime({
    store,
    files: disk as Files,
    spool: new MemorySpool(),
    clock,
    ids: options.ids ?? countingIds(),
    random: { next: () => 0 },
    log: silentLog,
    settings: options.settings ?? {},
    sandbox: commandsOn(disk, clock),
    agents: [
      {
        ...{ name: agent, description: "", instructions: "", model, tools: [], slashCommands: [], workspace: true },
        run: { ...defaultRunSettings, approval: "never" },
      },
    ],
  })
  await runtime.start()
  const at = (branch: string) => ({ agent, person, branch })
  const open = (branch: string) => runtime.snapshot(at(branch), { messages: ALL })
  return {
    runtime,
    store,
    clock,
    disk,
    requests,
    at,
    open,
    rest: (branch) => idle(runtime, at(branch), open),
    async say(branch, text, options) {
      const look = (name: string) => runtime.snapshot(at(name), options ?? { messages: ALL })
      const before = (await look(branch)).messages.length
      await runtime.send(at(branch), {
        type: COMPOSER_INPUT,
        payload: { source: text },
        mode: "immediate",
        source: "person",
        txid: runtime.txid(),
      })
      return (await idle(runtime, at(branch), look)).messages.slice(before)
    },
    async folder(branch) {
      const { id } = await runtime.conversation(at(branch))
      const first = (await store.log.events(id, 0, { count: 1, bytes: 1 }))?.changes[0]
      return { ...at(branch), life: first?.txid ?? "" }
    },
    async close() {
      await runtime.close()
      await store.close()
    },
  }
}

/** Looks after every change of the log. */
async function idle(runtime: Runtime, address: ReturnType<World["at"]>, open: World["open"]): Promise<Snapshot> {
  const { id } = await runtime.conversation(address)
  for (;;) {
    let changed = () => {}
    const change = new Promise<void>((resolve) => {
      changed = resolve
    })
    const unsubscribe = runtime.subscribe(id, changed)
    const now = await open(address.branch)
    if (now.status.state === "idle") {
      unsubscribe()
      return now
    }
    await change
    unsubscribe()
  }
}

function answering(requests: ModelRequest[]): Model {
  return {
    name: "numbered",
    window: 1_000_000,
    async run(request, { onEvent }) {
      requests.push(request)
      const kind = request.instructions === SUMMARY_INSTRUCTIONS ? "s" : "a"
      const last = request.messages.at(-1)
      const command = last?.role === "person" && kind === "a" ? / run (\S+ \S+)$/.exec(last.text)?.[1] : undefined
      if (command !== undefined) {
        onEvent({ type: "tool", call: `call_${requests.length}`, name: "run", input: JSON.stringify({ command }) })
        onEvent({ type: "finish", reason: "tools", usage: emptyUsage })
        return
      }
      onEvent({ type: "text", text: `${kind}${requests.length}` })
      onEvent({ type: "finish", reason: "stop", usage: emptyUsage })
    },
  }
}

/** Commands of the form `path text`, which write a file on the disk in memory; `-` deletes it. */
function commandsOn(disk: MemoryFiles, clock: FakeClock): Sandbox {
  return {
    unavailable: async () => undefined,
    run: async ({ command, folder }) => {
      const [, inPerson = "", inAgent = "", branch = "", life = ""] =
        /^\/memory\/([^/]+)\/([^/]+)\/(.+)~([^~]+)$/.exec(folder) ?? []
      const [path = "", text = ""] = command.split(" ")
      const place = { person: inPerson, agent: inAgent, branch, life }
      disk.byHand(place, path, text === "-" ? undefined : text, clock.now())
      return { end: "exit", exit: 0, output: "", left: [] }
    },
  }
}
