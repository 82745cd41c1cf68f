/** The trigger commands of a server, bound to one process's `Node`. */

import { sendByApi } from "./api.ts"
import { deliver, refuseDelivery } from "./deliver.ts"
import {
  changeHook,
  deleteHook,
  hookAt,
  hookSecrets,
  listHooks,
  makeHook,
  openHook,
  ownHook,
  rotateHook,
} from "./hooks.ts"
import { changeNotice, deleteNotice, listNotices, makeNotice, openNotice, testNotice } from "./notices.ts"
import { reconcileTriggers } from "./reconcile.ts"
import { changeSchedule, deleteSchedule, fireSchedule, listSchedules, makeSchedule, openSchedule } from "./schedules.ts"
import { resealSecrets } from "./secret.ts"
import type { TriggerAccess } from "./trigger-access.ts"

const verbs = {
  sendByApi,
  listSchedules,
  openSchedule,
  makeSchedule,
  changeSchedule,
  deleteSchedule,
  fireSchedule,
  listHooks,
  openHook,
  makeHook,
  changeHook,
  rotateHook,
  deleteHook,
  hookAt,
  hookSecrets,
  ownHook,
  deliver,
  refuseDelivery,
  listNotices,
  openNotice,
  makeNotice,
  changeNotice,
  deleteNotice,
  testNotice,
  reconcileTriggers,
  resealSecrets,
} as const

type Verbs = typeof verbs
type Bound<V> = V extends (node: TriggerAccess, ...args: infer A) => infer R ? (...args: A) => R : never
type TriggerVerbs = { readonly [Name in keyof Verbs]: Bound<Verbs[Name]> }

export function triggerVerbs(node: TriggerAccess): TriggerVerbs {
  const bound = Object.entries(verbs).map(([name, verb]) => [
    name,
    (...args: readonly unknown[]) =>
      (verb as (node: TriggerAccess, ...args: readonly unknown[]) => unknown)(node, ...args),
  ])
  return Object.fromEntries(bound) as TriggerVerbs
}
