/** The words of notifications for the service worker, which cannot load the catalog (APP-11). */
import { t as notify } from "../../texts/en/notify.ts"
import { t } from "../../texts/en/push.ts"

/** As the worker names them. */
const CACHE = "parlor-push"
const PATH = "/push-words"

/** The worker fills in `{agent}`. */
export function workerWords(): Readonly<Record<string, string>> {
  const agent = "{agent}"
  return {
    approval: notify("agentNeedsYourApproval", { agent }),
    question: notify("agentHasAQuestionFor", { agent }),
    form: notify("agentNeedsSomeInformationFrom", { agent }),
    done: notify("agentIsDone", { agent }),
    failed: notify("agentCouldntFinish", { agent }),
    test: t("testTitle"),
    testBody: t("testBody"),
    other: t("otherTitle"),
  }
}

export async function keepWorkerWords(): Promise<void> {
  const cache = await caches.open(CACHE)
  await cache.put(
    PATH,
    new Response(JSON.stringify(workerWords()), { headers: { "content-type": "application/json" } }),
  )
}

export async function dropWorkerWords(): Promise<void> {
  await caches.delete(CACHE)
}
