import { createHash } from "node:crypto"
import type { AnswerOf } from "@parlor/protocol"
import { idempotencyKey } from "../http/once.ts"
import type { Call, Services } from "../services.ts"
import { addressOf } from "./conversations.ts"

export const handlers = { listBranches, makeBranch, keepSidecar, mergeSidecar, closeSidecar }

async function listBranches({ runtime }: Services, call: Call<"listBranches">) {
  return { branches: [...(await runtime.listBranches(addressOf(call)))] }
}

async function makeBranch({ runtime }: Services, call: Call<"makeBranch">): Promise<AnswerOf<"makeBranch">> {
  const { from, name, ephemeral } = call.body
  return runtime.makeBranch(addressOf(call), { from, name, ephemeral, txid: call.txid, ...keyOf(call) })
}

async function keepSidecar({ runtime }: Services, call: Call<"keepSidecar">): Promise<AnswerOf<"keepSidecar">> {
  return runtime.keepSidecar(addressOf(call), call.txid)
}

async function mergeSidecar({ runtime }: Services, call: Call<"mergeSidecar">): Promise<AnswerOf<"mergeSidecar">> {
  return runtime.mergeSidecar(addressOf(call), { txid: call.txid, ...keyOf(call) })
}

async function closeSidecar({ runtime, followers }: Services, call: Call<"closeSidecar">) {
  const { kept, streams } = await runtime.closeSidecar(addressOf(call), call.txid)
  for (const stream of streams) followers.cutStream(stream)
  return { agent: call.params.agent, branch: call.params.branch, kept }
}

/** The digest covers the request and its conversation. */
function keyOf(call: Call<"makeBranch"> | Call<"mergeSidecar">): {
  readonly key?: { readonly key: string; readonly hash: string }
} {
  const key = idempotencyKey(call.header("idempotency-key"))
  if (key === undefined) return {}
  const asked = JSON.stringify([call.params, call.body ?? null])
  return { key: { key, hash: createHash("sha256").update(asked).digest("base64url") } }
}
