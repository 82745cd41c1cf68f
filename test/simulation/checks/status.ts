/** [TRN-2] The status says what is so: which turn, which message, waiting for what; and it never says idle in between. */
import type { MakeCheck } from "../check.ts"

export const status: MakeCheck = (it, wrong) => ({
  commit({ entries }) {
    const states = entries.flatMap(({ event }) => (event.type === "status" ? [event.value.state] : []))
    const idle = states.indexOf("idle")
    if (idle >= 0 && idle < states.length - 1) wrong("TRN-2", `in one commit the status goes ${states.join(", ")}`)
  },
  folded({ entries }) {
    const now = it.status
    const last = entries.at(-1)?.stored.seq
    if (now === undefined || last === undefined) return
    const said = `${last}: the status is ${now.state} for ${now.turn}`
    if (now.turn !== (it.turn?.id ?? null)) wrong("TRN-2", `${said}, ${it.turn?.id} runs`)
    if (now.message !== (it.turn?.message ?? null)) wrong("TRN-2", `${said} and names ${now.message}`)
    if ((now.state === "idle" || now.state === "error") !== (it.turn === undefined)) wrong("TRN-2", said)
    if ((now.state === "waiting") !== it.openAsks > 0) wrong("TRN-12", `${said} with ${it.openAsks} open asks`)
    const shown = it.turn?.state ?? "running"
    if ((now.state === "retrying") !== (shown === "retrying")) wrong("TRN-10", `${said}, which is ${shown}`)
    if ((now.state === "waiting") !== (shown === "waiting")) wrong("TRN-12", `${said}, which is ${shown}`)
    if ((now.attempt !== null) !== (now.state === "retrying")) wrong("TRN-10", `${said}, attempt ${now.attempt}`)
    if (now.state === "error" && now.error === null) wrong("TRN-10", `${said} and does not say why`)
  },
})
