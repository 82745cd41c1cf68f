import { emptyUsage, type MessageId } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { NOTHING_ATTACHED } from "../composer/lower.ts"
import { FakeClock } from "../testing/fake-clock.ts"
import { scriptedModel } from "../testing/scripted-model.ts"
import { beginNoting } from "./noting.ts"

const step = { number: 2, brief: null, archive: null, questionParts: 1, shown: [] }
const reply = { id: "msg_1" as MessageId, usage: emptyUsage, started: false }

describe("the note of a step", () => {
  it("[LOG-15] is missing if a stop came before anything was sent", () => {
    const noting = beginNoting(new FakeClock())
    expect(noting.note(step)).toBeUndefined()
    noting.begin(scriptedModel([]), NOTHING_ATTACHED)
    noting.end(reply, { broken: true })
    expect(noting.note(step)).toBeUndefined()
  })

  it("[LOG-15] is there once something was sent, even if the call was interrupted", () => {
    const noting = beginNoting(new FakeClock())
    noting.begin(scriptedModel([]), NOTHING_ATTACHED)
    noting.sent({ instructions: "", messages: [], tools: [] })
    noting.end(reply, { broken: true })
    expect(noting.note(step)).toMatchObject({ number: 2, attempts: [{ model: "scripted", endedAt: null }] })
    expect(noting.note(step)?.fingerprint).not.toBe("")
  })
})
