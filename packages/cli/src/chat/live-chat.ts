/**
 * A chat in a terminal.
 *
 *   typing ──Enter──▶ the line is executed, typing continues
 *     ├──/edit N──▶ editing N (leased) ──Enter──▶ saved, typing
 *     │                                └─Esc────▶ released, typing
 *     └──Esc, Ctrl-C──▶ the turn is stopped ──again within 2 s──▶ left
 *
 * Owns the terminal while it runs and always restores it.
 */
import type { EditLease, LeasedEdit, LiveConversation } from "@parlor/client"
import { recomposed } from "@parlor/client/composer"
import { Complaint } from "../complaint.ts"
import { explain } from "../explain.ts"
import { queuedId, textOf } from "../queue-lines.ts"
import { complete } from "./complete.ts"
import { type Editor, emptyEditor, press, submitted, withText } from "./editor.ts"
import { Flow } from "./flow.ts"
import type { Key } from "./keys.ts"
import { type ChatCommand, chatCommands, readLine } from "./line.ts"
import { Markdown } from "./markdown.ts"
import { Painter } from "./painter.ts"
import { commandNames, perform } from "./perform.ts"
import { layout } from "./screen.ts"
import type { Telling } from "./telling.ts"
import type { Tty } from "./tty.ts"

export type LiveChatParts = {
  readonly live: LiveConversation
  readonly telling: Telling
  readonly tty: Tty
  /** Agents that can be mentioned. */
  readonly agents: readonly string[]
  /** Whether markdown is rendered (CLI-6). */
  readonly isStyled: boolean
}

const FRAME_MS = 30
const TICK_MS = 1_000
const TWICE_MS = 2_000

type Editing = { readonly lease: EditLease; readonly ref: string }

export class LiveChat {
  readonly #live: LiveConversation
  readonly #telling: Telling
  readonly #tty: Tty
  readonly #agents: readonly string[]
  readonly #painter: Painter
  readonly #flow: Flow
  #editor: Editor = emptyEditor
  #editing: Editing | undefined
  #notice: readonly string[] = []
  #untold = ""
  #frame: NodeJS.Timeout | undefined
  #interruptedAt = Number.NEGATIVE_INFINITY
  #leave: (code: number) => void = () => {}

  constructor({ live, telling, tty, agents, isStyled }: LiveChatParts) {
    this.#flow = new Flow(isStyled ? new Markdown() : undefined)
    this.#agents = agents
    this.#live = live
    this.#telling = telling
    this.#tty = tty
    this.#painter = new Painter(tty.write, () => tty.size().columns)
  }

  /** Until the person leaves or the conversation can no longer be read. */
  async run(): Promise<number> {
    const left = new Promise<number>((resolve) => {
      this.#leave = resolve
    })
    const ends = [
      this.#live.subscribe(() => this.#soon()),
      this.#tty.open({ onKey: (key) => this.#take(key), onResize: () => this.#soon(), onEnd: () => this.#leave(0) }),
    ]
    const tick = setInterval(() => this.#soon(), TICK_MS)
    this.#draw()
    try {
      return await left
    } finally {
      clearInterval(tick)
      clearTimeout(this.#frame)
      await this.#editing?.lease.release().catch(() => undefined)
      this.#finish()
      for (const end of ends) end()
    }
  }

  #take(key: Key): void {
    if (key.name === "interrupt" || key.name === "escape") this.#interrupt()
    else if (key.name === "leave" && this.#editor.text === "") this.#leave(0)
    else if (key.name === "enter") this.#submit()
    else if (key.name === "redraw") this.#redraw()
    else if (key.name === "complete") this.#complete()
    else this.#editor = press(this.#editor, key.name === "leave" ? { name: "delete" } : key)
    this.#soon()
  }

  #complete(): void {
    const commands = [...chatCommands, ...commandNames(this.#live)]
    const { editor, choices } = complete(this.#editor, { commands, agents: this.#agents })
    this.#editor = editor
    if (choices.length > 0) this.#say(choices.join("  "))
  }

  #submit(): void {
    const { text } = this.#editor
    this.#notice = []
    if (this.#editing) {
      this.#save(this.#editing, text)
      return
    }
    const command = readLine(text, this.#live.getState().asks, commandNames(this.#live))
    this.#editor = submitted(this.#editor)
    if (command.kind === "quit") this.#leave(0)
    else if (command.kind === "edit" && command.text === "") void this.#openForEdit(command.ref)
    else void this.#perform(command, text)
  }

  /** Refused text goes back into the editor, unless something else was typed there. */
  async #perform(command: Exclude<ChatCommand, { kind: "quit" }>, text: string): Promise<void> {
    const isSend = command.kind === "send" || command.kind === "steer"
    const say = (words: string): void => {
      // The screen already shows the queue.
      if (!(isSend && words.startsWith("queued"))) this.#say(words)
    }
    const wasDone = await perform(command, this.#live, say, this.#agents)
    if (!wasDone && isSend && this.#editor.text === "") this.#editor = withText(this.#editor, text)
    this.#soon()
  }

  async #openForEdit(ref: string): Promise<void> {
    try {
      const id = queuedId(this.#live.getState().queue, ref)
      const lease = await this.#live.lease(id, { holder: "chat" })
      this.#editing = { lease, ref }
      this.#editor = withText(this.#editor, textOf(lease.row))
      void lease.ended.then((error) => error && this.#lost(lease, explain(error)))
    } catch (error) {
      this.#say(explain(error))
    }
    this.#soon()
  }

  #save({ lease }: Editing, text: string): void {
    this.#editing = undefined
    this.#editor = submitted(this.#editor)
    const saved = text.trim() === "" ? Promise.reject(new Complaint(EMPTY_EDIT)) : lease.save(this.#edited(lease, text))
    saved.catch(async (error: unknown) => {
      this.#say(explain(error))
      await lease.release().catch(() => undefined)
      if (this.#editor.text === "") this.#editor = withText(this.#editor, text)
      this.#soon()
    })
  }

  #edited(lease: EditLease, text: string): LeasedEdit {
    return recomposed(lease.row, text, { agents: this.#agents, commands: commandNames(this.#live) })
  }

  /** The message started or was removed during the edit: the text stays, to be sent as a new message. */
  #lost(lease: EditLease, reason: string): void {
    if (this.#editing?.lease !== lease) return
    this.#editing = undefined
    this.#say(reason)
    this.#soon()
  }

  #interrupt(): void {
    const now = Date.now()
    if (this.#editing) {
      void this.#editing.lease.release().catch(() => undefined)
      this.#editing = undefined
      this.#editor = withText(this.#editor, "")
      return
    }
    if (now - this.#interruptedAt < TWICE_MS) {
      this.#leave(0)
      return
    }
    this.#interruptedAt = now
    const isRunning = (this.#live.getState().status?.turn ?? null) !== null
    if (isRunning) void perform({ kind: "stop" }, this.#live, (words) => this.#say(words))
    this.#notice = [isRunning ? "Stopping. Press again to leave." : "No turn is running. Press again to leave."]
  }

  #say(words: string): void {
    this.#untold += this.#telling.note(words)
    this.#soon()
  }

  #redraw(): void {
    this.#tty.write("\u001b[2J\u001b[H")
    this.#painter.forget()
  }

  #soon(): void {
    this.#frame ??= setTimeout(() => {
      this.#frame = undefined
      this.#draw()
    }, FRAME_MS)
  }

  #draw(): void {
    const state = this.#live.getState()
    const size = this.#tty.size()
    if (this.#notice.length > 0 && Date.now() - this.#interruptedAt > TWICE_MS) this.#notice = []
    const editing = this.#editing ? `editing ${this.#editing.ref}` : undefined
    const view = { state, editor: this.#editor, notice: this.#notice, editing, now: Date.now() }
    const finished = this.#flow.push(this.#tell(), Math.max(8, size.columns - 1))
    this.#painter.paint(finished, layout({ ...view, rest: this.#flow.rest }, size))
    if (state.phase !== "failed") return
    this.#untold += this.#telling.note(explain(state.error))
    this.#leave(1)
  }

  #tell(): string {
    const text = this.#telling.tell(this.#live.getState()) + this.#untold
    this.#untold = ""
    return text
  }

  /** The last text stays above the shell's prompt; undelivered messages and unfinished input are reported. */
  #finish(): void {
    const { sending, status } = this.#live.getState()
    for (const send of sending) this.#untold += this.#telling.note(`not delivered: ${send.text}`)
    if ((status?.turn ?? null) !== null) this.#untold += this.#telling.note("The turn continues on the server.")
    const columns = Math.max(8, this.#tty.size().columns - 1)
    const finished = this.#flow.push(this.#tell(), columns)
    this.#painter.paint([...finished, ...this.#flow.rest], EMPTY_SCREEN)
  }
}

const EMPTY_EDIT = "The new text is empty. To remove a message, use /remove N."
const EMPTY_SCREEN = { rows: [], cursor: { row: 0, column: 0 } } as const
