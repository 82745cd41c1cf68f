/**
 * Conversations kept on paper: every list copied whole, every state before something that can be undone kept whole. Slow,
 * and too simple to be wrong. What the runtime shows has to be the same at every step.
 *
 * A further kind of step is one more method here and one more case in `steps.ts`.
 */
export type Files = ReadonlyMap<string, string>
export type Scope = "both" | "conversation" | "files"

export type PaperMessage = {
  readonly id: string
  readonly role: "person" | "agent"
  readonly text: string
  readonly at: number
  /** What was in the workspace when it came. */
  readonly files: Files
}

/** Something that can be cancelled, and all that has to come back then. */
export type Undo = {
  readonly id: string
  readonly scope: Scope
  readonly at: number
  /** How long the line was. */
  readonly length: number
  readonly visible: readonly string[]
  readonly files: Files
  /** What could be cancelled before it. */
  readonly stack: readonly Undo[]
  readonly moved: string
}

/** A summary that stands for everything up to its last message, unless what it was made after is dimmed. */
export type PaperArchive = {
  readonly id: string
  readonly branch: string
  readonly summary: string
  readonly last: string
  /** The newest message that was visible when it was made. */
  readonly made: string
}

type Seen = { readonly visible: readonly string[]; readonly archives: readonly PaperArchive[] }
type Hand = { readonly text: string; readonly at: number }
type Hands = ReadonlyMap<string, Hand>

export class Paper {
  readonly branch: string
  /** Everything on the line, above the fork too. */
  readonly line: PaperMessage[]
  visible: readonly string[]
  files: Files
  /** Made by hand on disk, and known to no row. */
  hands: Hands = new Map()
  stack: readonly Undo[] = []
  archives: readonly PaperArchive[]
  /** What could be seen after each step. */
  readonly past: Seen[]

  constructor(branch: string, from?: Pick<Paper, "line" | "visible" | "files" | "archives" | "past">) {
    this.branch = branch
    this.line = [...(from?.line ?? [])]
    this.visible = from?.visible ?? []
    this.files = from?.files ?? new Map()
    this.archives = from?.archives ?? []
    this.past = [...(from?.past ?? [])]
    this.#note()
  }

  get newest(): Undo | undefined {
    return this.stack.at(-1)
  }

  /** What one sees in the workspace: what is on disk, otherwise what is known. */
  get seen(): Files {
    return overlaid(this.files, this.hands)
  }

  /** What a model is told: the summary that reaches farthest, and the words of what is visible after it. */
  get told(): readonly string[] {
    const place = (id: string) => this.line.findIndex((message) => message.id === id)
    const standing = this.archives.filter((archive) => this.visible.includes(archive.made))
    const [farthest] = [...standing].reverse().sort((a, b) => place(b.last) - place(a.last))
    const end = farthest === undefined ? -1 : place(farthest.last)
    const words = this.line.filter(({ id }, index) => index > end && this.visible.includes(id)).map(({ text }) => text)
    return farthest === undefined ? words : [farthest.summary, ...words]
  }

  compact(archive: Omit<PaperArchive, "branch" | "made">): void {
    this.archives = [...this.archives, { ...archive, branch: this.branch, made: this.visible.at(-1) ?? "" }]
    this.#note()
  }

  dissolve(id: string): void {
    this.archives = this.archives.filter((archive) => archive.id !== id)
    this.#note()
  }

  say(message: Omit<PaperMessage, "files">): void {
    this.line.push({ ...message, files: this.files })
    this.#become([...this.visible, message.id], this.files, this.hands)
  }

  write(path: string, text: string | undefined): void {
    this.files = changed(this.files, path, text)
    this.hands = changed(this.hands, path, undefined)
  }

  /** Edits by hand are recorded: from now on they are files like others. */
  record(): void {
    this.files = this.seen
    this.hands = new Map()
  }

  byHand(path: string, text: string, at: number): void {
    this.hands = changed(this.hands, path, { text, at })
  }

  /** The code it is refused with; undefined when it is done. */
  rollBack(id: string, to: PaperMessage, options: { scope: Scope; edit: boolean; at: number }): string | undefined {
    const { scope, edit, at } = options
    if (!this.visible.includes(to.id)) return "rollback.dimmed"
    const end = this.visible.indexOf(to.id) + (edit ? 0 : 1)
    const visible = scope === "files" ? this.visible : this.visible.slice(0, end)
    const { now, rest } = this.#taken(scope, to.at)
    const files = scope === "conversation" ? this.files : to.files
    if (visible.length === this.visible.length && moves(now, files) === "") return "rollback.nothing"
    this.stack = [...this.stack, this.#undo(id, scope, at, now, files)]
    this.#become(visible, files, rest)
    return undefined
  }

  /** Whether what came after it is undone in turn, so that the cancelling can be cancelled. */
  cancel({ scope, ...undo }: Undo, id: string, at: number): boolean {
    const { now, rest } = this.#taken(scope, undo.at)
    const files = scope === "conversation" ? this.files : undo.files
    const visible = scope === "files" ? this.visible : undo.visible
    const came = scope !== "files" && this.line.length > undo.length
    const further = came || rest.size < this.hands.size || moves(files, now) !== undo.moved
    this.stack = further ? [...undo.stack, this.#undo(id, scope, at, now, files)] : undo.stack
    this.#become(visible, files, rest)
    return further
  }

  /** With what was visible when the message last was. A summary made after that message stays behind (BRA-7). */
  fork(branch: string, from: PaperMessage): Paper {
    const place = this.line.findIndex(({ id }) => id === from.id)
    const line = this.line.slice(0, place + 1)
    const known = new Set(line.map(({ id }) => id))
    // What came afterwards is not of the branch's past.
    const past = this.past.slice(0, this.past.findLastIndex(({ visible }) => visible.includes(from.id)) + 1)
    const seen = past.at(-1)
    const visible = (seen?.visible ?? []).filter((id) => known.has(id))
    const archives = (seen?.archives ?? []).filter(({ made }) => known.has(made))
    const files = this.line[place + 1]?.files ?? this.files
    return new Paper(branch, { line, visible, files, archives, past })
  }

  /** What was edited by hand since is looked at and recorded; what lay there before stays as it is. */
  #taken(scope: Scope, since: number): { readonly now: Files; readonly rest: Hands } {
    if (scope === "conversation") return { now: this.files, rest: this.hands }
    const edited = new Map([...this.hands].filter(([, hand]) => hand.at >= since))
    return { now: overlaid(this.files, edited), rest: new Map([...this.hands].filter(([path]) => !edited.has(path))) }
  }

  #undo(id: string, scope: Scope, at: number, now: Files, files: Files): Undo {
    const { visible, stack, line } = this
    return { id, scope, at, visible, stack, length: line.length, files: now, moved: moves(now, files) }
  }

  #become(visible: readonly string[], files: Files, hands: Hands): void {
    this.visible = visible
    this.files = files
    this.hands = hands
    this.#note()
  }

  #note(): void {
    this.past.push({ visible: this.visible, archives: this.archives })
  }
}

/** The paths that differ, what is there and what is to be there. */
function moves(before: Files, after: Files): string {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort()
  const found = paths.filter((path) => before.get(path) !== after.get(path))
  return found.map((path) => JSON.stringify([path, before.get(path) ?? null, after.get(path) ?? null])).join("\n")
}

function changed<T>(map: ReadonlyMap<string, T>, key: string, value: T | undefined): ReadonlyMap<string, T> {
  const next = new Map(map)
  if (value === undefined) next.delete(key)
  else next.set(key, value)
  return next
}

function overlaid(files: Files, hands: Hands): Files {
  return new Map([...files, ...[...hands].map(([path, { text }]) => [path, text] as const)])
}
