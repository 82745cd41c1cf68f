import type { Parlor } from "@parlor/client"
import { useState } from "react"
import { t } from "../../texts/en/push.ts"
import { useOwn } from "../keep/OwnContext.ts"
import { allowedNow } from "../notify/calls.ts"
import { noteOf, problemWords } from "../status/problemWords.ts"
import { canPush, PushProblem, turnOff, turnOn } from "./pushDevice.ts"
import { recordIn } from "./pushRecord.ts"

export type PushState = "unsupported" | "blocked" | "off" | "on"

export type PushControl = {
  readonly state: PushState
  readonly isBusy: boolean
  readonly showsText: boolean
  /** What came of the last change or test. */
  readonly message: { readonly isBad: boolean; readonly text: string } | undefined
  readonly set: (isOn: boolean, options?: { readonly showsText: boolean }) => void
  readonly test: () => void
}

/** Notifications of this device, and what the person can do about them (APP-12). */
export function usePush(parlor: Parlor, onOn: () => void): PushControl {
  const { keep } = useOwn()
  const [record, setRecord] = useState(() => recordIn(keep))
  const [isBusy, setIsBusy] = useState(false)
  const [message, setMessage] = useState<PushControl["message"]>(undefined)
  const run = async (work: () => Promise<PushControl["message"]>) => {
    setIsBusy(true)
    setMessage(undefined)
    setMessage(await work().catch((error: unknown) => ({ isBad: true, text: wordsOf(error) })))
    setRecord(recordIn(keep))
    setIsBusy(false)
  }
  return {
    state: stateOf(record !== undefined),
    isBusy,
    showsText: record?.showsText ?? false,
    message,
    set: (isOn, { showsText } = { showsText: false }) =>
      void run(async () => {
        await (isOn ? turnOn(parlor, keep, showsText) : turnOff(parlor, keep))
        if (isOn) onOn()
        return undefined
      }),
    test: () =>
      void run(async () => {
        const { delivered, error } = await parlor.pushes.test(record?.id ?? "")
        if (delivered) return { isBad: false, text: t("testSent") }
        return { isBad: true, text: t("testFailed", { why: error?.detail ?? "" }) }
      }),
  }
}

function stateOf(isOn: boolean): PushState {
  if (!canPush()) return "unsupported"
  if (allowedNow() === "denied") return "blocked"
  return isOn && allowedNow() === "granted" ? "on" : "off"
}

function wordsOf(error: unknown): string {
  return error instanceof PushProblem ? t(problems[error.kind]) : problemWords(noteOf(error)).title
}

const problems = { blocked: "notAllowed", device: "deviceFailed", server: "serverCant" } as const
