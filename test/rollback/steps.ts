/** Steps through a world and a paper beside it. Every step ends with both being looked at and found the same. */
import type { ModelRequest } from "@parlor/core"
import { Refusal, type Snapshot } from "@parlor/protocol"
import fc from "fast-check"
import { expect } from "vitest"
import { Paper, type PaperMessage, type Scope } from "./paper.ts"
import type { World } from "./world.ts"

/** `where`, `which` and `what` are taken modulo what there is to choose from. */
export type Step = {
  readonly kind:
    | "say"
    | "rollBack"
    | "cancel"
    | "cancelOther"
    | "branch"
    | "write"
    | "remove"
    | "hand"
    | "command"
    | "compact"
    | "dissolve"
  readonly where: number
  readonly which: number
  readonly what: number
}

const MOST_BRANCHES = 5
const PATHS = ["a.txt", "b/c.txt", "d.txt"] as const
const SCOPES = ["both", "conversation", "files"] as const

export const steps = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      kind: fc.oneof(
        { weight: 5, arbitrary: fc.constant("say" as const) },
        { weight: 5, arbitrary: fc.constant("rollBack" as const) },
        { weight: 4, arbitrary: fc.constant("cancel" as const) },
        { weight: 1, arbitrary: fc.constant("cancelOther" as const) },
        { weight: 2, arbitrary: fc.constant("branch" as const) },
        { weight: 3, arbitrary: fc.constantFrom("write" as const, "remove" as const, "hand" as const) },
        { weight: 2, arbitrary: fc.constant("command" as const) },
        { weight: 2, arbitrary: fc.constantFrom("compact" as const, "dissolve" as const) },
      ),
      where: fc.nat(99),
      which: fc.nat(99),
      what: fc.nat(99),
    }),
    { maxLength, size: "max" },
  )

/** Only what decides which messages and summaries a model is told, so that these meet often. */
export const toldSteps = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      kind: fc.oneof(
        { weight: 2, arbitrary: fc.constantFrom("say" as const, "rollBack" as const, "compact" as const) },
        { weight: 1, arbitrary: fc.constantFrom("cancel" as const, "branch" as const, "dissolve" as const) },
      ),
      where: fc.nat(99),
      which: fc.nat(99),
      what: fc.nat(99),
    }),
    { maxLength, size: "max" },
  )

export class Walk {
  readonly #world: World
  readonly papers: Paper[] = [new Paper("main")]
  #words = 0

  constructor(world: World) {
    this.#world = world
  }

  async step(step: Step): Promise<void> {
    await this.#world.clock.advance(10)
    const paper = chosen(this.papers, step.where)
    if (paper !== undefined) await this.#take(step, paper)
    for (const one of this.papers) await this.#look(one)
  }

  /** Says something in every conversation, so that what each model is told is compared at least once. */
  async sayEverywhere(): Promise<void> {
    for (const paper of this.papers) await this.#say(paper)
  }

  async #take(step: Step, paper: Paper): Promise<void> {
    const { runtime, at, disk, folder } = this.#world
    const txid = runtime.txid()
    const path = PATHS[step.which % PATHS.length] ?? "a.txt"
    const address = at(paper.branch)
    switch (step.kind) {
      case "say":
        return this.#say(paper)
      case "rollBack":
        return this.#rollBack(paper, step)
      case "cancel":
        return this.#cancel(paper)
      case "cancelOther":
        return this.#cancelOther(paper, step)
      case "branch":
        return this.#branch(paper, step)
      case "compact":
        return this.#compact(paper, step)
      case "dissolve": {
        const own = chosen(
          paper.archives.filter(({ branch }) => branch === paper.branch),
          step.which,
        )
        if (own === undefined) return
        await runtime.undoCompaction(address, own.id, txid)
        return paper.dissolve(own.id)
      }
      case "write": {
        const text = this.#word("w")
        await runtime.writeFile(address, path, new TextEncoder().encode(text), { txid })
        return paper.write(path, text)
      }
      case "remove":
        if (!paper.seen.has(path)) return
        await runtime.removeFile(address, path, { txid })
        return paper.write(path, undefined)
      case "hand": {
        const text = this.#word("h")
        // Before anything was written to a conversation it has no folder.
        if ((await this.#world.open(paper.branch)).offset === START) return
        disk.byHand(await folder(paper.branch), path, text, this.#world.clock.now())
        return paper.byHand(path, text, this.#world.clock.now())
      }
      case "command":
        return this.#command(paper, path, step.what % 4 === 0 ? undefined : this.#word("w"))
    }
  }

  /** The agent runs a command that writes or deletes a file. Edits by hand are recorded before it works. */
  async #command(paper: Paper, path: string, text: string | undefined): Promise<void> {
    const came = await this.#world.say(paper.branch, `${this.#word("p")} run ${path} ${text ?? "-"}`)
    expect(came.length, "a message, a call and an answer").toBe(3)
    for (const message of came.slice(0, 2)) paper.say(lineOf(message))
    // The call is in the log before it runs, so its files belong after it.
    paper.record()
    paper.write(path, text)
    for (const message of came.slice(2)) paper.say(lineOf(message))
  }

  async #say(paper: Paper): Promise<void> {
    const { requests, say } = this.#world
    const before = requests.length
    for (const message of await say(paper.branch, this.#word("p"))) paper.say(lineOf(message))
    expect(requests.length).toBe(before + 1)
    const told = wordsIn(toldIn(requests.at(-1)))
    // All but the answer itself.
    expect(told, "what the model is told").toEqual(paper.told.flatMap(wordsIn).slice(0, -1))
  }

  async #compact(paper: Paper, step: Step): Promise<void> {
    const { runtime, at, rest } = this.#world
    if (paper.visible.length === 0) return
    await runtime.compact(at(paper.branch), { keepTurns: step.which % 3, txid: runtime.txid() })
    await rest(paper.branch)
    const known = new Set(paper.archives.map(({ id }) => id))
    const { archives: rows } = await runtime.archives(at(paper.branch))
    for (const { id, summary, to, ended } of rows)
      if (!known.has(id) && ended === null) paper.compact({ id, summary, last: to })
  }

  async #rollBack(paper: Paper, step: Step): Promise<void> {
    const { runtime, at, clock } = this.#world
    const to = chosen(
      paper.line.filter(({ role }) => role === "person"),
      step.which,
    )
    if (to === undefined) return
    const scope: Scope = SCOPES[step.what % 3] ?? "both"
    const edit = scope !== "files" && step.what % 2 === 1
    const asked = { to: to.id, scope, edit, txid: runtime.txid() }
    const preview = paper.visible.includes(to.id) ? await runtime.previewRollback(at(paper.branch), asked) : undefined
    const done = await codeOf(runtime.rollBack(at(paper.branch), asked))
    const length = paper.visible.length
    const seen = paper.seen
    const refused = paper.rollBack(idOf(done), to, { scope, edit, at: clock.now() })
    expect(done.code).toBe(refused)
    if (done.answer === undefined) return
    expect(done.answer.edited?.text).toBe(edit ? to.text : undefined)
    if (scope !== "files") expect(preview?.count).toBe(length - paper.visible.length)
    if (scope !== "conversation") expect(preview?.files.map((file) => file.path)).toEqual(differing(seen, paper.seen))
  }

  async #cancel(paper: Paper): Promise<void> {
    const { runtime, at, clock } = this.#world
    const undo = paper.newest
    if (undo === undefined) return
    const row = await runtime.cancelRollback(at(paper.branch), undo.id, runtime.txid())
    const further = paper.cancel(undo, row.id, clock.now())
    expect(further ? row.cancels : row.id).toBe(undo.id)
    expect(row.id === undo.id).toBe(!further)
  }

  /** One that is not the newest is left alone. */
  async #cancelOther(paper: Paper, step: Step): Promise<void> {
    const { runtime, at } = this.#world
    const { rollbacks } = await this.#world.open(paper.branch)
    const row = chosen(
      rollbacks.filter(({ id }) => id !== paper.newest?.id),
      step.which,
    )
    if (row === undefined) return
    const done = await codeOf(runtime.cancelRollback(at(paper.branch), row.id, runtime.txid()))
    const isInForce = paper.stack.some(({ id }) => id === row.id)
    expect(done.code).toBe(isInForce ? "rollback.not-newest" : "rollback.over")
  }

  async #branch(paper: Paper, step: Step): Promise<void> {
    const { runtime, at } = this.#world
    const from = chosen(paper.line, step.which)
    if (from === undefined || this.papers.length >= MOST_BRANCHES) return
    const asked = { from: from.id, name: undefined, ephemeral: step.what % 3 === 0, txid: runtime.txid() }
    const { branch } = await runtime.makeBranch(at(paper.branch), asked)
    this.papers.push(paper.fork(branch, from))
  }

  async #look(paper: Paper): Promise<void> {
    const { runtime, at, open } = this.#world
    const address = at(paper.branch)
    const shown = paper.line.map(({ id, text }) => [id, text, !paper.visible.includes(id)])
    const { messages } = await open(paper.branch)
    expect(messages.map(viewOf), `messages of ${paper.branch}`).toEqual(shown)
    const paged: (typeof shown)[number][] = []
    for (let before: string | undefined; ; ) {
      const page = await runtime.history(address, { before, limit: 3 })
      paged.unshift(...page.messages.map(viewOf).reverse())
      if (page.older === null) break
      before = page.older
    }
    expect(paged, `pages of ${paper.branch}`).toEqual(shown)
    const files = (await runtime.files(address, { at: undefined })).map(({ path }) => path)
    expect(files, `files of ${paper.branch}`).toEqual([...paper.seen.keys()].sort())
    for (const [path, text] of paper.seen) {
      const { content } = await runtime.readFile(address, path, { at: undefined })
      expect(new TextDecoder().decode(content), `${path} of ${paper.branch}`).toBe(text)
    }
  }

  #word(kind: string): string {
    this.#words += 1
    return `${kind}${this.#words}`
  }
}

const START = "0000000000000000"

function lineOf(message: Snapshot["messages"][number]): Omit<PaperMessage, "files"> {
  return { id: message.id, role: message.role, text: textOf(message), at: message.at }
}

function viewOf(message: Snapshot["messages"][number]): [string, string, boolean] {
  return [message.id, textOf(message), message.dimmed]
}

function textOf({ parts }: Snapshot["messages"][number]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("")
}

function wordsIn(text: string): readonly string[] {
  return text.match(/\b[pas]\d+\b/g) ?? []
}

function toldIn(request: ModelRequest | undefined): string {
  const texts = request?.messages.map((message) => {
    if (message.role === "person") return message.text
    return message.role === "agent" ? message.parts.map((part) => ("text" in part ? part.text : "")).join(" ") : ""
  })
  return (texts ?? []).join("\n")
}

function differing(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path)).sort()
}

function chosen<T>(list: readonly T[], number: number): T | undefined {
  return list[number % Math.max(1, list.length)]
}

type Outcome<T> = { readonly answer?: T; readonly code?: string }

async function codeOf<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { answer: await work }
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code }
    throw error
  }
}

function idOf({ answer }: Outcome<{ readonly rollback: { readonly id: string } }>): string {
  return answer?.rollback.id ?? ""
}
