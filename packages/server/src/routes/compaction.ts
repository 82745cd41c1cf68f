import type { Call, Services } from "../services.ts"
import { addressOf } from "./conversations.ts"

export const handlers = { compact, listArchives, openArchive, undoCompaction }

async function compact({ runtime }: Services, call: Call<"compact">) {
  return runtime.compact(addressOf(call), { keepTurns: call.body.keepTurns, txid: call.txid })
}

async function listArchives({ runtime }: Services, call: Call<"listArchives">) {
  return runtime.archives(addressOf(call), { before: call.query.before })
}

async function openArchive({ runtime }: Services, call: Call<"openArchive">) {
  return runtime.openArchive(addressOf(call), call.params.archive)
}

async function undoCompaction({ runtime }: Services, call: Call<"undoCompaction">) {
  return { archive: await runtime.undoCompaction(addressOf(call), call.params.archive, call.txid) }
}
