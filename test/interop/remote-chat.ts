/** Chats of the AI SDK 7, in a process of Node 22. They look like those of version 6 in this process. */
import type { ChatStatus, UIMessage } from "ai"
import type { Chat, ChatServer } from "./chat.ts"
import { Remote } from "./remote.ts"

type Called = "sendMessage" | "regenerate" | "resumeStream" | "stop" | "addToolApprovalResponse"
type Shown = "status" | "messages" | "lastMessage" | "bodies" | "text" | "tools"
/** What the tests use of a chat. */
export type AnyChat = Pick<Chat, Called | Shown> & { readonly error: { readonly message: string } | undefined }
export type NewChat = (server: ChatServer, init: { readonly id: string; readonly messages?: UIMessage[] }) => AnyChat

type View = {
  readonly status: ChatStatus
  readonly messages: UIMessage[]
  readonly bodies: string[]
  readonly error?: { readonly message: string }
}

export type Chats = { readonly newChat: NewChat; close(): Promise<void> }

export async function startChats(): Promise<Chats> {
  const remote = await Remote.start<View>("chats.mjs", { status: "ready", messages: [], bodies: [] })
  let opened = 0
  return {
    newChat: (server, { id, messages = [] }) => {
      const name = String(++opened)
      void remote.callOf(name, "new", server, { id, messages })
      return chatOf(remote, name)
    },
    close: () => remote.close(),
  }
}

function chatOf(remote: Remote<View>, name: string): AnyChat {
  const call =
    (method: Called) =>
    (...args: readonly unknown[]) =>
      remote.callOf(name, method, ...args)
  const view = () => remote.viewOf(name)
  const last = () => view().messages.at(-1)
  return {
    sendMessage: call("sendMessage"),
    regenerate: call("regenerate"),
    resumeStream: call("resumeStream"),
    stop: call("stop"),
    addToolApprovalResponse: call("addToolApprovalResponse"),
    get status() {
      return view().status
    },
    get messages() {
      return view().messages
    },
    get bodies() {
      return view().bodies
    },
    get error() {
      return view().error
    },
    get lastMessage() {
      return last()
    },
    get text() {
      return (last()?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("")
    },
    get tools() {
      return (last()?.parts ?? []).flatMap((part) => (part.type === "dynamic-tool" ? [part] : []))
    },
  }
}
