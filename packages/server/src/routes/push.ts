import { perMinute, tooMany } from "@parlor/core"
import type { Call, Services } from "../services.ts"

export const handlers = { readPush, subscribePush, unsubscribePush, testPush }

const TESTS = perMinute(10)

async function readPush({ runtime }: Services, { caller }: Call<"readPush">) {
  return runtime.readPush(caller.person)
}

async function subscribePush({ runtime }: Services, { caller, body }: Call<"subscribePush">) {
  return runtime.subscribePush(caller.person, body, { keyHash: caller.key?.hash ?? null })
}

async function unsubscribePush({ runtime }: Services, { caller, params }: Call<"unsubscribePush">) {
  await runtime.unsubscribePush(caller.person, params.id)
}

async function testPush({ runtime, clock, tries }: Services, { caller, params }: Call<"testPush">) {
  const waitMs = tries.take(`push ${caller.person}`, TESTS, clock.now())
  if (waitMs > 0) throw tooMany(`At most ${TESTS.perMinute} tests per minute are allowed.`, waitMs)
  return runtime.testPush(caller.person, params.id)
}
