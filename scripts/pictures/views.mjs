/** Every view of the page: its address, and what must be visible before the screenshot. */

/** @typedef {import("playwright-core").Page} Page */
/**
 * @typedef {{
 *   name: string
 *   at: string
 *   ready: (page: Page) => import("playwright-core").Locator
 *   act?: (page: Page) => Promise<unknown>
 *   phone?: false
 * }} View
 */

const log = (/** @type {Page} */ page) => page.locator("main [role=log] article").last()
const heading = (/** @type {string} */ name) => (/** @type {Page} */ page) =>
  page.getByRole("heading", { name, level: 1 })

/** @type {readonly View[]} */
export const views = [
  { name: "conversation", at: "#/host", ready: (page) => page.locator("[role=log] table") },
  { name: "empty", at: "#/scribe", ready: (page) => page.getByRole("textbox", { name: /^Message to/ }) },
  {
    name: "busy",
    at: "#/host/counting",
    ready: (page) => page.getByRole("region", { name: "Queue" }).getByText("next"),
  },
  { name: "ask", at: "#/host/asking", ready: log },
  { name: "failed", at: "#/critic", ready: log },
  { name: "rolled-back", at: "#/host/supper", ready: (page) => page.getByText("Cancel rollback") },
  { name: "sidecar", at: "#/host?side=aside", ready: (page) => page.getByText("tides").last() },
  { name: "files", at: "#files/host/main/notes%2Fplan.md", ready: heading("Files") },
  { name: "chapters", at: "#chapters/host/reading", ready: heading("Chapters") },
  { name: "memory", at: "#memory/host", ready: heading("Memory") },
  { name: "triggers", at: "#triggers/host", ready: heading("Triggers") },
  { name: "attachments", at: "#attachments/host", ready: heading("Attachments") },
  { name: "search", at: "#search/host/main/story", ready: heading("Search") },
  { name: "inspector", at: "#inspect/host", ready: heading("Inspector") },
  {
    name: "palette",
    at: "#/host",
    ready: (page) => page.getByRole("dialog"),
    act: (page) => page.keyboard.press("Control+k"),
  },
  {
    name: "keyboard",
    at: "#/host",
    ready: (page) => page.getByRole("dialog"),
    act: (page) => page.keyboard.press("Control+/"),
  },
]
