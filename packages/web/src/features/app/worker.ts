/**
 * The service worker, as the page sees it (APP-2, APP-3).
 *
 *     none ──registered──▶ current ──a newer one is installed──▶ waiting ──"Reload"──▶ the page reloads
 *
 * A waiting version takes over only when the person says so; then this window reloads, and other windows keep what they
 * show until they are reloaded too. Nothing here is needed for the page to work.
 */
import { onReturn } from "../../ui/onReturn.ts"

const CHECK_MS = 60 * 60_000

let registration: ServiceWorkerRegistration | undefined
let isTakingOver = false
const listeners = new Set<() => void>()

/** Called once, when the page is idle. Returns a function that stops looking for new versions. */
export function startWorker(): () => void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (workers === undefined) return () => undefined
  workers.addEventListener("controllerchange", reloadOnce)
  void workers.register("/sw.js").then(follow, () => undefined)
  const check = () => void registration?.update().catch(() => undefined)
  const timer = setInterval(check, CHECK_MS)
  const stop = onReturn(check)
  return () => {
    workers.removeEventListener("controllerchange", reloadOnce)
    clearInterval(timer)
    stop()
  }
}

/** Whether a new version is installed and waits for a reload. */
export function hasNewVersion(): boolean {
  return registration?.waiting != null
}

export function takeNewVersion(): void {
  isTakingOver = true
  registration?.waiting?.postMessage("take-over")
}

export function onVersion(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Where workers are blocked, some browsers register nothing without an error. */
function follow(registered: ServiceWorkerRegistration | undefined): void {
  if (registered === undefined) return
  registration = registered
  const watch = (worker: ServiceWorker | null) => worker?.addEventListener("statechange", tell)
  watch(registered.installing)
  registered.addEventListener("updatefound", () => watch(registered.installing))
  tell()
}

/** Without a controller, this is the first version: there is nothing to replace. */
function tell(): void {
  for (const listener of listeners) listener()
}

function reloadOnce(): void {
  tell()
  if (!isTakingOver) return
  isTakingOver = false
  location.reload()
}
