import { ask, expect, expectAlive, makeUser, must } from "../target.mjs"

export const description =
  "Overwriting a file and making conversations without end meets the person's limits, old versions included."
export const rule = "SEC-23"

const MIB = 1024 * 1024
const SHORT = { writes: 12, conversations: 60 }
/** Limits that are further away than this are not driven into, only counted towards. */
const LONG = { writes: 600, conversations: 6_000 }

/** @type {import("../target.mjs").Attack["run"]} */
export async function run(target, { long }) {
  const most = long ? LONG : SHORT
  const user = await makeUser(target)
  const as = { token: user.token, headers: user.headers }
  const files = await overwrite(target, as, most.writes, long ? 10 * MIB : MIB)
  const conversations = await manyConversations(target, as, most.conversations)
  await expectAlive(target)
  await must(target, "DELETE", `/v1/keys/${user.id}`)
  return { ...files, ...conversations }
}

/**
 * @param {import("../target.mjs").Target} target
 * @param {{ token: string, headers: Record<string, string> }} as
 * @param {number} most
 * @param {number} bytes
 */
async function overwrite(target, as, most, bytes) {
  const before = await must(target, "GET", "/v1/usage", as)
  let written = 0
  let refused = false
  for (; written < most && !refused; written += refused ? 0 : 1) {
    const body = new Uint8Array(bytes).fill(written % 251)
    new DataView(body.buffer).setUint32(0, written)
    const headers = { ...as.headers, "content-type": "application/octet-stream" }
    const answer = await ask(target, "PUT", "/v1/conversations/host/main/files/big.bin", { ...as, headers, body })
    refused = answer.status === 413
    if (refused) expectQuota(answer, "quota.bytes")
    else expect(answer.status < 300, `a write: ${answer.status} ${answer.text.slice(0, 200)}`)
  }
  const { stored } = await must(target, "GET", "/v1/usage", as)
  const counted = stored.files - before.stored.files
  expect(counted === written * bytes, `${written} versions of ${bytes} bytes count as ${counted}`)
  expect(stored.limit === null || stored.used <= stored.limit + bytes, `${stored.used} of ${stored.limit} bytes`)
  if (stored.limit !== null && stored.limit < most * bytes) expect(refused, "nothing was refused")
  return { written, storedBytes: stored.used, bytesRefused: refused }
}

/**
 * @param {import("../target.mjs").Target} target
 * @param {{ token: string, headers: Record<string, string> }} as
 * @param {number} most
 */
async function manyConversations(target, as, most) {
  let made = 0
  let refused = false
  for (; made < most && !refused; made += refused ? 0 : 1) {
    const answer = await ask(target, "PUT", `/v1/conversations/host/attack-${made}`, as)
    refused = answer.status >= 400
    if (refused) expectQuota(answer, answer.status === 413 ? "quota.bytes" : "quota.conversations")
  }
  const { conversations } = await must(target, "GET", "/v1/usage", as)
  if (conversations.limit !== null) {
    expect(conversations.used <= conversations.limit, `${conversations.used} of ${conversations.limit} conversations`)
    if (conversations.limit < most) expect(refused, "no conversation was refused")
  }
  return { conversations: conversations.used, conversationsRefused: refused }
}

/**
 * @param {{ status: number, text: string }} answer
 * @param {string} code
 */
function expectQuota({ text }, code) {
  const problem = JSON.parse(text)
  expect(problem.code === code, text.slice(0, 300))
  expect(problem.used >= 0 && problem.allowed > 0, text.slice(0, 300))
}
