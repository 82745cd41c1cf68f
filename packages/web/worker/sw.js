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
/** How long a window may take to answer. */
const ANSWER_MS = 3_000

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

/** What the server pushes is a `PushNote` (packages/protocol/src/push-note.ts). */
self.addEventListener("push", (event) => {
  event.waitUntil(tell(event.data))
})

self.addEventListener("notificationclick", (event) => {
  event.notification.close()
  event.waitUntil(openAt(event.notification.data?.address ?? ""))
})

/** Browsers insist on a notification for each push, unless a window is visible. */
async function tell(data) {
  const note = noteIn(data)
  await showBadge(note.needing)
  const address = note.agent ? `#/${encodeURIComponent(note.agent)}/${encodeURIComponent(note.branch)}` : ""
  if (note.agent && (await isShown(`${note.agent}/${note.branch}`))) return
  const { title, body } = wordsFor(note, await words())
  // Windows that are open but hidden use the same tag, so that an event is shown once.
  const look = { body, tag: note.key, icon: "/icon-192.png", data: { address } }
  await self.registration.showNotification(title, look)
}

/** Anything unreadable is a note without words. */
function noteIn(data) {
  try {
    return { key: "parlor", ...data.json() }
  } catch {
    return { key: "parlor" }
  }
}

/** In the language of the page, which stores them; English until then. */
async function words() {
  const kept = await (await caches.open("parlor-push")).match("/push-words")
  return { ...ENGLISH, ...(kept === undefined ? {} : await kept.json()) }
}

const ENGLISH = {
  approval: "{agent} needs your approval",
  question: "{agent} has a question for you",
  form: "{agent} needs some information from you",
  done: "{agent} is done",
  failed: "{agent} couldn't finish",
  test: "Notifications work",
  testBody: "This is how Parlor tells you that an agent needs you.",
  other: "Parlor has news for you",
}

function wordsFor({ kind, ask, agent, text }, known) {
  const title = known[kind === "asks" ? ask : kind] ?? known.other
  return { title: title.replace("{agent}", () => agent), body: text ?? (kind === "test" ? known.testBody : "") }
}

async function showBadge(needing) {
  if (typeof needing !== "number") return
  await (needing > 0 ? self.navigator.setAppBadge?.(needing) : self.navigator.clearAppBadge?.())?.catch(() => {})
}

/** Whether a window that the person can see shows this conversation. Only the windows know. */
async function isShown(conversation) {
  const visible = (await windows()).filter((one) => one.visibilityState === "visible")
  const answers = await Promise.all(visible.map((one) => asked(one, { kind: "shows", conversation })))
  return answers.includes(true)
}

/** In the window that was in front last, or in a new one. */
async function openAt(address) {
  const [window] = await windows()
  if (window === undefined) return self.clients.openWindow(`/${address}`)
  await window.focus().catch(() => {})
  if (address === "" || (await asked(window, { kind: "open", address })) === true) return
  await window.navigate(`/${address}`).catch(() => self.clients.openWindow(`/${address}`))
}

/** Those of the page itself, not of shared conversations. */
async function windows() {
  const all = await self.clients.matchAll({ type: "window", includeUncontrolled: true })
  return all.filter(({ url }) => ["/", "/index.html"].includes(new URL(url).pathname))
}

/** What a window answers; undefined if it does not. */
function asked(window, question) {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
    setTimeout(resolve, ANSWER_MS)
    window.postMessage(question, [port2])
  }).finally(() => port1.close())
}

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
