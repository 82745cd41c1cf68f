import type { MakeCheck } from "../check.ts"
import { acked } from "./acked.ts"
import { afterEnd } from "./after-end.ts"
import { again } from "./again.ts"
import { answers } from "./answers.ts"
import { asks } from "./asks.ts"
import { coverage } from "./coverage.ts"
import { editLease } from "./edit-lease.ts"
import { feedRow } from "./feed-row.ts"
import { guests } from "./guests.ts"
import { hold } from "./hold.ts"
import { idempotent } from "./idempotent.ts"
import { once } from "./once.ts"
import { oneTurn } from "./one-turn.ts"
import { order } from "./order.ts"
import { outcome } from "./outcome.ts"
import { owner } from "./owner.ts"
import { places } from "./places.ts"
import { requests } from "./requests.ts"
import { rest } from "./rest.ts"
import { retries } from "./retries.ts"
import { sendNow } from "./send-now.ts"
import { status } from "./status.ts"
import { steer } from "./steer.ts"
import { texts } from "./texts.ts"
import { tools } from "./tools.ts"
import { usage } from "./usage.ts"

export const allChecks: Readonly<Record<string, MakeCheck>> = {
  acked,
  afterEnd,
  again,
  answers,
  asks,
  coverage,
  editLease,
  feedRow,
  guests,
  hold,
  idempotent,
  once,
  oneTurn,
  order,
  outcome,
  owner,
  places,
  requests,
  rest,
  retries,
  sendNow,
  status,
  steer,
  texts,
  tools,
  usage,
}
