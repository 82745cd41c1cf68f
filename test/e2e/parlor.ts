/** A complete Parlor as `parlor serve` starts it, on a free port with SQLite in its own folder. */
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Parlor } from "@parlor/client"
import type { MessageRow } from "@parlor/protocol"
import { afterEach, beforeEach } from "vitest"
import { type Serving, startServing } from "../../packages/cli/src/serve.ts"
import { closePages } from "./browser.ts"
import { type SteeredModel, startSteeredModel } from "./model.ts"
import { startAsking, startCommanding } from "./serving.ts"

export type TestParlor = {
  readonly url: string
  readonly token: string
  readonly folder: string
  /** What `parlor serve` prints. */
  readonly address: string
  /** The SDK, to set up the test and to check the state of the server. */
  readonly sdk: Parlor
  /** Stops the server as a reboot would, and keeps port and data for `start`. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export type ParlorOptions = {
  /** A model that the test controls; the demo model by default. */
  readonly model?: SteeredModel
  /** Uses the agent of serving.ts whose tools ask, instead of the default agents. Needs a model. */
  readonly asking?: boolean
  /** Uses the agents of serving.ts that have commands. Needs a model. */
  readonly commanding?: boolean
  /** The source of a config file, in the folder of the server. */
  readonly config?: string
  /** Other origins whose pages may call it. */
  readonly allowedOrigins?: readonly string[]
  /** More variables; they replace the others. */
  readonly env?: Readonly<Record<string, string>>
}

export async function startParlor(options: ParlorOptions = {}): Promise<TestParlor> {
  const folder = mkdtempSync(join(tmpdir(), "parlor-e2e-"))
  const token = randomBytes(32).toString("base64url")
  const env = {
    PARLOR_DATA: folder,
    PARLOR_TOKEN: token,
    PARLOR_LOG: "error",
    ...(options.config === undefined ? {} : { PARLOR_CONFIG: join(folder, "parlor.config.ts") }),
    // Tests that stop the server in the middle of a reply want the reply to be truncated.
    PARLOR_DRAIN_MS: "0",
    // Every request to the model belongs to the test.
    PARLOR_TITLES: "off",
    PARLOR_ALLOWED_ORIGINS: (options.allowedOrigins ?? []).join(","),
    ...(options.model
      ? // A large context window: no test of the page is about automatic compaction.
        { PARLOR_MODEL: "compatible/steered", OPENAI_BASE_URL: options.model.url, PARLOR_MODEL_WINDOW: "1000000" }
      : { PARLOR_MODEL: "demo" }),
    ...options.env,
  }
  if (options.config !== undefined) writeFileSync(join(folder, "parlor.config.ts"), options.config)
  const { model, asking = false, commanding = false } = options
  const serveAt = (port: number): Promise<Serving> =>
    model && (asking || commanding)
      ? (asking ? startAsking : startCommanding)({ folder, token, port, modelUrl: model.url })
      : startServing({ ...env, PARLOR_PORT: String(port) })
  let serving: Serving | undefined = await serveAt(0)
  const { url } = serving
  const stop = async () => {
    await serving?.close()
    serving = undefined
  }
  return {
    url,
    token,
    folder,
    address: `${url}/#token=${token}`,
    sdk: new Parlor({ baseUrl: url, token }),
    stop,
    async start() {
      serving = await serveAt(Number(new URL(url).port))
    },
    async close() {
      await closePages()
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The messages on the server, one line each: author, then text. */
export async function transcript(parlor: TestParlor, agent = "host"): Promise<readonly string[]> {
  const { messages } = await parlor.sdk.conversation(agent).open({ messages: 100 })
  return messages.map((message) => `${message.role}: ${textOf(message)}`)
}

export function textOf(message: MessageRow): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
}

export type Stage = { readonly parlor: TestParlor; readonly model: SteeredModel }

/** A separate Parlor for every test of a file, with a model that the test controls. */
export function useStage(options: Pick<ParlorOptions, "asking" | "commanding"> = {}): () => Stage {
  let stage: Stage | undefined
  beforeEach(async () => {
    const model = await startSteeredModel()
    stage = { model, parlor: await startParlor({ ...options, model }) }
  })
  afterEach(async () => {
    await stage?.parlor.close()
    await stage?.model.close()
    stage = undefined
  })
  return () => {
    if (stage === undefined) throw new Error("the stage exists only while a test runs")
    return stage
  }
}
