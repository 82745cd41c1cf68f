/** A program of `test/node22` that takes calls and reports what it shows. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { spawnNode22 } from "../support/node22.ts"

type FromProgram<View> = {
  readonly ready?: true
  readonly id?: number
  readonly error?: string
  readonly view?: View
  readonly of?: string
}

export class Remote<View> {
  readonly #child: ChildProcess
  readonly #calls = new Map<number, (error: string | undefined) => void>()
  readonly #views = new Map<string, View>()
  readonly #blank: View
  #number = 0

  static async start<View>(program: string, blank: View): Promise<Remote<View>> {
    const child = await spawnNode22(program)
    const remote = new Remote(child, blank)
    await new Promise<void>((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`${program} exited with ${code}.`)))
      child.on("message", (message: FromProgram<View>) => {
        if (message.ready) resolve()
        else remote.#take(message)
      })
    })
    return remote
  }

  private constructor(child: ChildProcess, blank: View) {
    this.#child = child
    this.#blank = blank
  }

  get view(): View {
    return this.viewOf("")
  }

  viewOf(name: string): View {
    return this.#views.get(name) ?? this.#blank
  }

  /** What the program shows after the call is known before this resolves. */
  call(method: string, ...args: readonly unknown[]): Promise<void> {
    return this.callOf("", method, ...args)
  }

  callOf(of: string, method: string, ...args: readonly unknown[]): Promise<void> {
    const id = ++this.#number
    return new Promise((resolve, reject) => {
      this.#calls.set(id, (error) => {
        this.#calls.delete(id)
        if (error === undefined) resolve()
        else reject(new Error(error))
      })
      this.#child.send({ id, of, call: method, args })
    })
  }

  async close(): Promise<void> {
    const ended = once(this.#child, "exit")
    this.#child.kill()
    await ended
  }

  #take({ id, error, of = "", view }: FromProgram<View>): void {
    if (view !== undefined) this.#views.set(of, view)
    if (id !== undefined) this.#calls.get(id)?.(error)
  }
}
