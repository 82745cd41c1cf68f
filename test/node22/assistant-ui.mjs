/**
 * A page built with assistant-ui, in jsdom, driven by messages of the parent process.
 *
 *   parent: { id, call: "open" | "type" | "click", args }
 *   here:   { id, error? }   the call has ended
 *           { view }         the page shows something else: its messages and the labels of its enabled buttons
 */
import "./from-here.mjs"
import { JSDOM } from "jsdom"

const { window } = new JSDOM("<!doctype html><body><main></main></body>", {
  pretendToBeVisual: true,
  url: "http://localhost/",
})
const { document } = window
const globals = ["document", "HTMLElement", "Element", "Node", "MutationObserver", "getComputedStyle", "DOMRect"]
for (const name of ["requestAnimationFrame", "cancelAnimationFrame", "CustomEvent", "Event", ...globals])
  Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true })
Object.defineProperty(globalThis, "window", { value: window, configurable: true })
globalThis.ResizeObserver = window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.Element.prototype.scrollTo = () => {}
window.Element.prototype.scrollIntoView = () => {}

const { createElement: h } = await import("react")
const { createRoot } = await import("react-dom/client")
const { useChat } = await import("@ai-sdk/react")
const { useAISDKRuntime } = await import("@assistant-ui/react-ai-sdk")
const { AssistantRuntimeProvider, ComposerPrimitive, MessagePrimitive, ThreadPrimitive } = await import(
  "@assistant-ui/react"
)
const { parlorChat } = await import("../interop/parlor-chat.ts")

let root = createRoot(document.querySelector("main"))
let shown = ""
new window.MutationObserver(show).observe(document.body, {
  attributes: true,
  characterData: true,
  childList: true,
  subtree: true,
})
process.on("message", (message) => void handle(message))
process.on("disconnect", () => process.exit())
process.send?.({ ready: true })

async function handle({ id, call, args }) {
  let error
  try {
    await calls[call](...args)
  } catch (thrown) {
    error = String(thrown)
  }
  show()
  process.send?.({ id, error })
}

const calls = {
  /** A page that was open is left, as by a reload. */
  open({ id, messages, ...to }) {
    root.unmount()
    root = createRoot(document.querySelector("main"))
    root.render(h(Page, { id, messages, to }))
  },
  type(text) {
    const input = document.querySelector("textarea")
    Object.getOwnPropertyDescriptor(window.HTMLTextAreaElement.prototype, "value").set.call(input, text)
    input.dispatchEvent(new window.Event("input", { bubbles: true }))
  },
  click(label) {
    const button = buttons().find(({ textContent }) => textContent === label)
    if (button === undefined) throw new Error(`There is no enabled button ${label}.`)
    button.dispatchEvent(new window.MouseEvent("click", { bubbles: true, cancelable: true }))
  },
}

function Page({ id, messages, to }) {
  const chat = useChat({ id, messages, resume: true, ...parlorChat(to) })
  const runtime = useAISDKRuntime(chat)
  const thread = h(
    ThreadPrimitive.Root,
    null,
    h(ThreadPrimitive.Messages, { components: { UserMessage: Message, AssistantMessage: Message } }),
    h(
      ComposerPrimitive.Root,
      null,
      h(ComposerPrimitive.Input, null),
      h(ComposerPrimitive.Send, null, "Send"),
      h(ComposerPrimitive.Cancel, null, "Cancel"),
    ),
  )
  return h(AssistantRuntimeProvider, { runtime }, thread)
}

function Message() {
  return h(
    MessagePrimitive.Root,
    { className: "message" },
    h(MessagePrimitive.Parts, { components: { Text, Reasoning, tools: { Fallback: Tool } } }),
  )
}

const Text = ({ text }) => h("p", null, text)
const Reasoning = ({ text }) => h("i", null, text)

function Tool({ toolName, args, result, approval, respondToApproval }) {
  const answer = (approved) => () => void respondToApproval({ approved })
  const isWaiting = approval !== undefined && approval.approved === undefined
  return h(
    "section",
    null,
    `${toolName} ${JSON.stringify(args)}${result === undefined ? "" : ` → ${JSON.stringify(result)}`}`,
    isWaiting
      ? [
          h("button", { key: 1, onClick: answer(true) }, "Allow"),
          h("button", { key: 2, onClick: answer(false) }, "Deny"),
        ]
      : null,
  )
}

function buttons() {
  return [...document.querySelectorAll("button")].filter(({ disabled }) => !disabled)
}

function show() {
  const messages = [...document.querySelectorAll(".message")].map((message) =>
    [...message.querySelectorAll("p, i, section")].map((part) => part.firstChild?.textContent ?? ""),
  )
  const view = { messages, buttons: buttons().map(({ textContent }) => textContent) }
  const json = JSON.stringify(view)
  if (json === shown) return
  shown = json
  process.send?.({ view })
}
