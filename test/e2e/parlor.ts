/** A whole Parlor as `parlor serve` starts it, on a free port with SQLite in a folder of its own. */
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Parlor } from "@parlor/client"
import type { MessageRow } from "@parlor/protocol"
import { afterEach, beforeEach } from "vitest"
import { type Serving, startServing } from "../../packages/cli/src/serve.ts"
import { type SteeredModel, startSteeredModel } from "./model.ts"
import { startAsking, startCommanding } from "./serving.ts"

export type TestParlor = {
  readonly url: string
  readonly token: string
  /** What `parlor serve` prints. */
  readonly address: string
  /** The SDK, to set the stage and to see what the server really has. */
  readonly sdk: Parlor
  /** Ends it like a restart of the machine would, and keeps port and data for `start`. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export type ParlorOptions = {
  /** One that the test steers; otherwise the demo model. */
  readonly model?: SteeredModel
  /** With the agent of serving.ts, whose tools ask, in place of the usual ones. Needs a model. */
  readonly asking?: boolean
  /** With the agents of serving.ts that have commands. Needs a model. */
  readonly commanding?: boolean
  /** Other origins whose pages may call it. */
  readonly allowedOrigins?: readonly string[]
}

export async function startParlor(options: ParlorOptions = {}): Promise<TestParlor> {
  const folder = mkdtempSync(join(tmpdir(), "parlor-e2e-"))
  const token = randomBytes(32).toString("base64url")
  const env = {
    PARLOR_DATA: folder,
    PARLOR_TOKEN: token,
    PARLOR_LOG: "error",
    // A test that stops it in the middle of a reply means that the reply is cut.
    PARLOR_DRAIN_MS: "0",
    PARLOR_ALLOWED_ORIGINS: (options.allowedOrigins ?? []).join(","),
    ...(options.model
      ? // A wide window: no test of the page is about compaction by itself.
        { PARLOR_MODEL: "compatible/steered", OPENAI_BASE_URL: options.model.url, PARLOR_MODEL_WINDOW: "1000000" }
      : { PARLOR_MODEL: "demo" }),
  }
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
    address: `${url}/#token=${token}`,
    sdk: new Parlor({ baseUrl: url, token }),
    stop,
    async start() {
      serving = await serveAt(Number(new URL(url).port))
    },
    async close() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The messages as the server has them, one line each: who, then what. */
export async function transcript(parlor: TestParlor, agent = "host"): Promise<readonly string[]> {
  const { messages } = await parlor.sdk.conversation(agent).open({ messages: 100 })
  return messages.map((message) => `${message.role}: ${textOf(message)}`)
}

export function textOf(message: MessageRow): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
}

export type Stage = { readonly parlor: TestParlor; readonly model: SteeredModel }

/** A Parlor of its own for every test of a file, with a model that the test steers. */
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
    if (stage === undefined) throw new Error("there is a stage only while a test runs")
    return stage
  }
}
