/**
 * The service worker: opens the page without a network, and shows notifications that the server pushes.
 *
 * The build writes `VERSION` and `FILES` above this text. A version is all its files or none: they are stored together
 * when it is installed, the page is always served from one version, and a new version waits until the person reloads
 * (or closes every window). The version before stays stored, for windows that still show it. Whatever belongs to the
 * server (`/v1`, health, anything that is not a file of the page) never passes through here.
 */
const PREFIX = "parlor-page-"
const CACHE = PREFIX + VERSION
const PATIENCE_MS = 1_500

self.addEventListener("install", (event) => {
  // Past the browser's cache: an `index.html` of another version would break this one.
  const files = FILES.map((path) => new Request(path, { cache: path.startsWith("/assets/") ? "default" : "reload" }))
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files)))
})

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOldVersions().then(() => self.clients.claim()))
})

self.addEventListener("message", (event) => {
  if (event.data === "take-over") event.waitUntil(self.skipWaiting())
})

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url)
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return
  const path = url.pathname === "/index.html" ? "/" : url.pathname
  if (path === "/" && event.request.mode === "navigate") event.respondWith(documentOf(event.request))
  else if (path !== "/" && (FILES.includes(path) || path.startsWith("/assets/")))
    event.respondWith(fileOf(path, event.request))
})

/**
 * The page of this version. If the server still has the same, its own response is used: its headers (the content
 * security policy names where people sign in) may have changed since. It is not waited for long.
 */
async function documentOf(request) {
  const kept = await (await caches.open(CACHE)).match("/")
  if (kept === undefined) return fetch(request)
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  const fresh = await Promise.race([fetch(request).catch(() => undefined), patience])
  if (fresh === undefined || !fresh.ok) return kept
  return (await fresh.clone().text()) === (await kept.clone().text()) ? fresh : kept
}

async function fileOf(path, request) {
  const cache = await caches.open(CACHE)
  // An older window asks for its own files, whose names contain their hash.
  const kept = (await cache.match(path)) ?? (path.startsWith("/assets/") ? await caches.match(path) : undefined)
  return kept ?? fetch(request)
}

/** The newest two are kept: this version, and the one that open windows may still show. */
async function dropOldVersions() {
  const versions = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE)
  await Promise.all(versions.slice(0, -1).map((name) => caches.delete(name)))
}
