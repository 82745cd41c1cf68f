/**
 * Web push, from the switch on the page to the notification (APP-6 to APP-12).
 *
 * No push service can be reached here: the browser's subscription is replaced by one of a service that the test runs,
 * and what arrives there is handed to the real service worker, as the browser would after decrypting it.
 */
import type { PushNote } from "@parlor/protocol"
import type { BrowserContext, Page } from "playwright-core"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type PushService, startPushService, type TestDevice } from "../support/push-service.ts"
import { barriers } from "./axe.ts"
import { useBrowser } from "./browser.ts"
import { type SteeredModel, startSteeredModel } from "./model.ts"
import { startParlor, type TestParlor } from "./parlor.ts"
import { expectText, roomOf } from "./room.ts"

let service: PushService
let model: SteeredModel
let parlor: TestParlor
beforeEach(async () => {
  service = await startPushService()
  model = await startSteeredModel()
  parlor = await startParlor({ model, env: { PARLOR_NOTICE_HOSTS: service.host } })
})
afterEach(async () => {
  await parlor.close()
  await model.close()
  service.close()
})
const browser = useBrowser()

test("[APP-6, APP-9, APP-11, APP-12] turned on, tested, shown in the language of the page, and ended by signing out", async () => {
  const { context, page, device } = await opened()
  await openNotifications(page)
  const whenClosed = page.getByRole("switch", { name: "Notifications while Parlor is closed" })
  await whenClosed.click()
  await expect.poll(() => whenClosed.getAttribute("aria-checked")).toBe("true")
  await expectText(section(page), "On for this device.")
  expect(await barriers(page)).toEqual([])
  const worker = await workerOf(context, page)

  await page.getByRole("button", { name: "Send a test notification" }).click()
  await expectText(section(page).getByRole("status"), "Sent.")
  await worker.deliver(device.received[0]?.note)
  await expect
    .poll(() => worker.shown())
    .toEqual(["Notifications work: This is how Parlor tells you that an agent needs you."])

  await answered("birds", "The heron is gray.")
  await expect.poll(() => device.received.length).toBe(2)
  await worker.deliver(device.received[1]?.note)
  await expect.poll(() => worker.shown()).toContain("host is done: ")

  await page.getByRole("switch", { name: "Show the beginning of messages" }).click()
  await expect
    .poll(async () => (await parlor.sdk.pushes.read()).subscriptions.map(({ showsText }) => showsText))
    .toEqual([true])
  await page.evaluate(() => localStorage.setItem("parlor.language", "de"))
  await page.reload()
  await expect.poll(() => worker.words()).toContain("{agent} ist fertig")
  await answered("fish", "The carp is brown.")
  await expect.poll(() => device.received.length).toBe(3)
  await worker.deliver(device.received[2]?.note)
  await expect.poll(() => worker.shown()).toContain("host ist fertig: The carp is brown.")

  await page.getByRole("button", { name: "Konto" }).click()
  await page.getByRole("menuitem", { name: "Abmelden" }).click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem("parlor.token"))).toBeNull()
  expect(await page.evaluate(() => localStorage.getItem("test.subscribed"))).toBeNull()
  await expect.poll(async () => (await parlor.sdk.pushes.read()).subscriptions).toEqual([])
})

test("[APP-11] nothing is shown while the conversation is visible; a click opens it in the window that is there", async () => {
  const { context, page } = await opened()
  const room = roomOf(page)
  await room.say("What color is the heron?")
  const call = await model.next()
  call.say("Gray.")
  call.end()
  await expectText(room.status, "Ready")
  const worker = await workerOf(context, page)
  const note: PushNote = { kind: "done", key: "turn_1 done", agent: "host", branch: "main", needing: 0 }
  await worker.deliver({ ...note, needing: 2 })
  await expect.poll(() => worker.badges()).toEqual([2])
  await worker.deliver({ ...note, key: "turn_2 done", branch: "elsewhere", needing: 0 })
  // Pushes are handled in order: the first one was not shown.
  await expect.poll(() => worker.shown()).toEqual(["host is done: "])
  expect(await worker.badges()).toEqual([2, 0])
  await parlor.sdk.conversation("host", "elsewhere").make()
  await worker.click()
  await page.waitForURL(/#\/host\/elsewhere$/)
  await expect.poll(() => worker.shown()).toEqual([])

  await page.evaluate(() => Object.assign(globalThis, { isHidden: true }))
  await worker.deliver({ kind: "asks", ask: "approval", key: "ask_1", agent: "host", branch: "elsewhere", needing: 1 })
  await expect.poll(() => worker.shown()).toEqual(["host needs your approval: "])
  await page.close()
  await worker.click()
  await expect.poll(() => worker.opened()).toEqual(["/#/host/elsewhere"])
})

test("[APP-12] a browser that blocks notifications, or cannot reach its push service, is told so", async () => {
  const { page } = await opened()
  await openNotifications(page)
  const whenClosed = page.getByRole("switch", { name: "Notifications while Parlor is closed" })
  await page.evaluate(() => Object.assign(globalThis, { isBroken: true }))
  await whenClosed.click()
  await expectText(section(page).getByRole("status"), "Your browser couldn't subscribe to its push service.")
  expect(await whenClosed.getAttribute("aria-checked")).toBe("false")
  expect((await parlor.sdk.pushes.read()).subscriptions).toEqual([])
  await page.context().clearPermissions()
  await page.evaluate(() => Object.defineProperty(Notification, "permission", { get: () => "denied" }))
  await page.evaluate(() => Object.assign(Notification, { requestPermission: async () => "denied" }))
  await whenClosed.click()
  await expectText(section(page).getByRole("status"), "Your browser didn't allow notifications.")
  await expectText(section(page), "Your browser blocks notifications for this page.")
  expect(await whenClosed.isDisabled()).toBe(true)
})

async function opened(): Promise<{ context: BrowserContext; page: Page; device: TestDevice }> {
  const context = await browser.person({ serviceWorkers: "allow", permissions: ["notifications"] })
  const device = service.device()
  await context.addInitScript(standIn, device.subscription)
  const page = await context.newPage()
  await page.goto(parlor.address)
  await expectText(roomOf(page).status, "Ready")
  return { context, page, device }
}

/** A turn that nobody follows. */
async function answered(branch: string, text: string): Promise<void> {
  await parlor.sdk.conversation("host", branch).make()
  await parlor.sdk.conversation("host", branch).send("Tell me")
  const call = await model.next()
  call.say(text)
  call.end()
}

async function openNotifications(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Account" }).click()
  await page.getByRole("menuitem", { name: "Notifications" }).click()
  await section(page).waitFor()
}

function section(page: Page) {
  return page.getByRole("region", { name: "Notifications" }).filter({ has: page.getByRole("switch") })
}

type Scope = {
  readonly registration: ServiceWorkerRegistration
  readonly clients: { openWindow: (address: string) => Promise<null> }
  dispatchEvent(event: Event): boolean
}
type Recording = { badges: number[]; opened: string[] }

/** The real service worker of the page. */
async function workerOf(context: BrowserContext, page: Page) {
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => context.serviceWorkers().length).toBe(1)
  const [worker] = context.serviceWorkers()
  if (worker === undefined) throw new Error("there is no service worker")
  await worker.evaluate(() => {
    const recording: Recording = { badges: [], opened: [] }
    const scope = self as unknown as Scope
    Object.assign(self, { recording })
    Object.assign(navigator, {
      setAppBadge: async (count: number) => void recording.badges.push(count),
      clearAppBadge: async () => void recording.badges.push(0),
    })
    // Opening a window needs a real click.
    scope.clients.openWindow = async (address) => {
      recording.opened.push(address)
      return null
    }
  })
  const session = await context.newCDPSession(page)
  const found = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [one] }) => {
      if (one !== undefined) resolve(one.registrationId)
    })
  })
  await session.send("ServiceWorker.enable")
  const registrationId = await found
  return {
    deliver: (note: PushNote | undefined) =>
      session.send("ServiceWorker.deliverPushMessage", {
        origin: parlor.url,
        registrationId,
        data: JSON.stringify(note),
      }),
    shown: () =>
      worker.evaluate(async () => {
        const all = await (self as unknown as Scope).registration.getNotifications()
        return all.map(({ title, body }) => `${title}: ${body}`)
      }),
    words: () =>
      worker.evaluate(async () => (await (await caches.open("parlor-push")).match("/push-words"))?.text() ?? ""),
    badges: () => worker.evaluate(() => (self as unknown as { recording: Recording }).recording.badges),
    opened: () => worker.evaluate(() => (self as unknown as { recording: Recording }).recording.opened),
    /** Presses the notification that is shown. */
    click: () =>
      worker.evaluate(async () => {
        const scope = self as unknown as Scope
        const [notification] = await scope.registration.getNotifications()
        const Pressed = (globalThis as unknown as { NotificationEvent: new (type: string, init: object) => Event })
          .NotificationEvent
        scope.dispatchEvent(new Pressed("notificationclick", { notification }))
      }),
  }
}

/** Runs in the page: a subscription of the test's push service, and a window that the test can hide. */
function standIn(given: TestDevice["subscription"]): void {
  const KEPT = "test.subscribed"
  Object.assign(globalThis, { isHidden: false, isBroken: false })
  const read = () => {
    const key = localStorage.getItem(KEPT)
    if (key === null) return null
    const bytes = Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0))
    return {
      options: { applicationServerKey: bytes.buffer },
      toJSON: () => given,
      unsubscribe: async () => {
        localStorage.removeItem(KEPT)
        return true
      },
    }
  }
  Object.assign(PushManager.prototype, {
    getSubscription: async () => read(),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      if ((globalThis as unknown as { isBroken: boolean }).isBroken) throw new Error("no push service")
      localStorage.setItem(KEPT, applicationServerKey)
      return read()
    },
  })
  Object.defineProperty(document, "visibilityState", {
    get: () => ((globalThis as unknown as { isHidden: boolean }).isHidden ? "hidden" : "visible"),
  })
}
