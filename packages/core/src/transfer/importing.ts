/** One import while its lines arrive: converts lines to rows, in order. `place.ts` decides where they are written. */
import {
  type Address,
  type FileRow,
  limits,
  type MemoryEntry,
  type MessageId,
  type MessageRow,
  type NewChange,
  newMessage,
  type Part,
  Refusal,
  type StatusRow,
  type TxId,
} from "@parlor/protocol"
import { checkAttachment } from "../composer/attach.ts"
import type { ConversationState } from "../log/state.ts"
import { BY_PERSON, writeMemory } from "../memory/memory.ts"
import type { Attachment } from "../ports/blobs.ts"
import { checkFiles } from "../quota/quota.ts"
import { excerpt, titleFrom } from "../text/excerpt.ts"
import { textOf } from "../text/text-of.ts"
import { checkPath } from "../workspace/path.ts"
import { checkedPut } from "../workspace/plan.ts"
import { type Tree, treeOf } from "../workspace/tree.ts"
import { broken, ContentsIn } from "./contents.ts"
import { DimmedRuns } from "./dimmed-runs.ts"
import type { ImportAccess } from "./import-access.ts"
import { type ArchiveLine, type ExportHead, type ImportLine, parseLine, type RollbackLine } from "./line.ts"
import { ImportPlace, type Once, repeated } from "./place.ts"
import { settled, settledTurn } from "./settled.ts"

type Key = Pick<Once, "key" | "hash">
type Answer = { readonly messages: number }

export class Importing {
  readonly #node: ImportAccess
  readonly #person: string
  readonly #place: ImportPlace
  readonly #contents: ContentsIn
  readonly #attachments = new Map<string, Attachment>()
  /** Contents that the conversation itself holds: of files, changes and outputs. */
  readonly #held = new Set<string>()
  readonly #dimmed = new DimmedRuns()
  readonly #memories: MemoryEntry[] = []
  readonly #tree: Tree = treeOf([])
  #head: ExportHead | undefined
  #number = 0
  #messages = 0
  #isExport = false
  #title = ""
  #preview = ""
  /** What is not written yet, its length, and the line of each message. */
  #pending: NewChange[] = []
  #chars = 0
  #lines = new Map<MessageId, number>()

  constructor(node: ImportAccess, address: Address, txid: TxId) {
    this.#node = node
    this.#person = address.person
    this.#place = new ImportPlace(node, address, txid)
    this.#contents = new ContentsIn((hash, content) => this.#place.keepContent(hash, content))
  }

  /** Resolves when the next line may come. */
  async take(text: string): Promise<void> {
    this.#number += 1
    if (text.trim() === "") return
    const line = parseLine(text, this.#number)
    if (line.kind !== "content") this.#contents.checkEnded(this.#number)
    if (needsPlace(line) && !this.#place.isStaged) await this.#flush()
    const change = await this.#changeOf(line)
    if (change === undefined) return
    this.#pending.push(change)
    this.#chars += text.length
    if (this.#pending.length >= limits.importBatchLines || this.#chars >= limits.importBatchBytes) await this.#flush()
  }

  /** The answer of an earlier import under the same key. */
  async known(key: Key | undefined): Promise<Answer | undefined> {
    const known = await this.#place.known(key && { ...key, answer: "" })
    if (known === undefined) return undefined
    if (known.hash === key?.hash) return JSON.parse(known.answer) as Answer
    throw new Refusal("idempotency.reused", "This Idempotency-Key was used before with another body. Use a new key.")
  }

  async finish(key: Key | undefined): Promise<Answer> {
    this.#contents.checkEnded(this.#number)
    if (this.#messages === 0) throw new Refusal("import.invalid", "The import contains no messages.")
    const memories = await this.#newMemories()
    const answer = { messages: this.#messages }
    const once = key && { ...key, answer: JSON.stringify(answer) }
    const appended = this.#place.isStaged
      ? await this.#adopt(once)
      : await this.#place.decide(
          (state) => this.#wholeAfter(state),
          (status) => this.#statusAfter(status),
          { isExport: this.#isExport, once },
        )
    if (appended.ok) {
      for (const memory of memories) await writeMemory(this.#node, this.#person, memory, BY_PERSON)
      return answer
    }
    const known = await this.known(key)
    if (known !== undefined) return known
    throw new Refusal("conversation.busy", "The conversation was changed in the meantime. Nothing was imported.")
  }

  /** A memory that the person has stays as it is. */
  async #newMemories(): Promise<readonly MemoryEntry[]> {
    if (this.#memories.length === 0) return []
    const own = (await this.#node.store.memories.index(this.#person)).filter(({ scope }) => scope === "user")
    const known = new Set(own.map(({ name }) => name))
    const added = this.#memories.filter(({ name }) => !known.has(name))
    if (own.length + added.length <= limits.memoriesPerScope) return added
    throw new Refusal("memory.full", `The import would exceed the maximum of ${limits.memoriesPerScope} memories.`)
  }

  #remember(memory: MemoryEntry): void {
    if (this.#memories.length >= limits.memoriesPerScope || this.#memories.some(({ name }) => name === memory.name))
      throw new Refusal("import.invalid", `Line ${this.#number} is one memory too many.`, `/${this.#number - 1}`)
    this.#memories.push(memory)
  }

  close(): Promise<void> {
    return this.#place.close()
  }

  async #flush(): Promise<void> {
    if (!this.#place.isStaged) await this.#place.stage()
    const changes = this.#pending
    const lines = this.#lines
    this.#pending = []
    this.#lines = new Map()
    this.#chars = 0
    await checkFiles(this.#node, this.#person, changes.filter(({ collection }) => collection === "files").length)
    if (changes.length > 0) await this.#place.write(changes, lines)
  }

  async #adopt(once: Once | undefined) {
    this.#pending.push(...this.#dimmed.rollbacks(this.#node, 0))
    await this.#flush()
    const attachments = await this.#newAttachments()
    return this.#place.adopt((status) => this.#statusAfter(status), { attachments, once })
  }

  /** Writes everything, after what is already there. */
  #wholeAfter({ lastOrd, stream }: ConversationState): readonly NewChange[] {
    const moved = this.#pending.map((change) =>
      change.collection === "messages" ? { ...change, row: { ...change.row, ord: change.row.ord + lastOrd } } : change,
    )
    return [...moved, ...this.#dimmed.rollbacks(this.#node, lastOrd, stream.head + 1)]
  }

  async #changeOf(line: ImportLine): Promise<NewChange | undefined> {
    switch (line.kind) {
      case "head":
        this.#head = line
        return undefined
      case "content":
        await this.#contents.take(line.content, this.#number)
        return undefined
      case "attachment":
        return this.#attach(line.attachment)
      case "memory":
        this.#remember(line.memory)
        return undefined
      case "turn":
        return { collection: "turns", key: line.turn.id, operation: "insert", row: settledTurn(line.turn) }
      case "plain":
        return this.#add(plainMessage(this.#node, line.role, line.text))
      case "message":
        return this.#addExported(line.message)
      case "archive":
        return this.#archive(line.archive)
      case "file":
        checkPath(line.file.path, `/${this.#number - 1}/file/path`)
        this.#checkHeld(line.file.hash, line.file.bytes)
        return this.#file(line.file)
      case "change":
        if (!CHANGE_ID.test(line.change.id)) throw broken(this.#number, "has a change whose id is of another log")
        checkPath(line.change.path, `/${this.#number - 1}/change/path`)
        this.#checkHeld(line.change.before, line.change.bytesBefore)
        this.#checkHeld(line.change.after, line.change.bytes)
        return { collection: "changes", key: line.change.id, operation: "insert", row: line.change }
      case "rollback":
        return this.#rollback(line.rollback)
    }
  }

  #file(file: FileRow): NewChange {
    const operation = this.#tree.files.has(file.path) ? "update" : "insert"
    checkedPut(this.#tree, file)
    return { collection: "files", key: file.path, operation, row: file }
  }

  #addExported(exported: MessageRow): NewChange {
    if (this.#lines.has(exported.id)) throw repeated(exported.id, this.#number)
    this.#isExport = true
    this.#lines.set(exported.id, this.#number)
    return this.#add(settled(this.#withOutputs(exported)))
  }

  #add(given: MessageRow): NewChange {
    this.#messages += 1
    const message = { ...given, ord: this.#messages }
    this.#dimmed.add(message, this.#number)
    if (this.#title === "" && message.role === "person") this.#title = titleFrom(textOf(message.parts))
    if (!message.dimmed) this.#preview = excerpt(textOf(message.parts), limits.previewLength)
    const row = { ...message, dimmed: false }
    return { collection: "messages", key: row.id, operation: "insert", row }
  }

  /**
   * An output stays complete only if the import contained it: a hash alone gives nobody access to a content. Context is
   * imported as material, because a file can claim anything (CMP-22).
   */
  #withOutputs(message: MessageRow): MessageRow {
    const parts = message.parts.map((part): Part => {
      if (part.type === "context") {
        const { instructions: _, ...material } = part
        return material
      }
      if (part.type !== "tool") return part
      const { kept, pictures, ...rest } = part
      const hasOutput = kept !== undefined && this.#isIncluded(kept)
      const included = pictures?.filter(({ hash, bytes }) => this.#isIncluded(hash, bytes)) ?? []
      return {
        ...rest,
        ...(hasOutput ? { kept } : {}),
        ...(included.length === 0 ? {} : { pictures: included }),
      }
    })
    return { ...message, parts }
  }

  /** Then the conversation holds it. */
  #isIncluded(hash: string, bytes = this.#contents.bytesOf(hash)): boolean {
    if (bytes === undefined || this.#contents.bytesOf(hash) !== bytes) return false
    this.#held.add(hash)
    return true
  }

  async #attach(attachment: Attachment): Promise<undefined> {
    if (this.#contents.bytesOf(attachment.hash) !== attachment.bytes)
      throw broken(this.#number, "names an attachment whose content is not in the import")
    const content = await this.#node.store.blobs.get(attachment.hash)
    if (content !== undefined) checkAttachment(attachment.mediaType, content)
    this.#attachments.set(attachment.hash, attachment)
  }

  #archive({ inForce, ...archive }: ArchiveLine): NewChange {
    const { fromOrd, toOrd, id } = archive
    if (fromOrd < 1 || fromOrd > toOrd || toOrd > this.#messages)
      throw broken(this.#number, "covers messages that did not come before it")
    const row = { ...archive, began: 0, ended: inForce ? null : 0 }
    return { collection: "archives", key: id, operation: "insert", row }
  }

  #rollback({ inForce, ...rollback }: RollbackLine): NewChange {
    const { toOrd, fromOrd, id, files, change } = rollback
    if (toOrd < 0 || fromOrd > this.#messages)
      throw broken(this.#number, "is about messages that did not come before it")
    if (change !== null && !CHANGE_ID.test(change)) throw broken(this.#number, "names a change of another log")
    for (const { path, before, after } of files) {
      checkPath(path, `/${this.#number - 1}/rollback/files`)
      for (const hash of [before, after]) this.#checkHeld(hash)
    }
    const row = { ...rollback, state: "done" as const, began: 0, ended: inForce ? null : 0, earlier: [] }
    this.#dimmed.cover(row, inForce, this.#number)
    return { collection: "rollbacks", key: id, operation: "insert", row }
  }

  #checkHeld(hash: string | null, bytes?: number): void {
    if (hash === null) return
    const brought = this.#contents.bytesOf(hash)
    if (brought === undefined || (bytes !== undefined && bytes !== brought))
      throw broken(this.#number, `names the content ${hash.slice(0, 64)}, which is not in the import`)
    this.#held.add(hash)
  }

  /** Those the person does not have yet, if there is room for all of them. */
  async #newAttachments() {
    const added: (Attachment & { readonly held: boolean })[] = []
    let unknown = 0
    for (const [hash, attachment] of this.#attachments) {
      const known = await this.#node.store.blobs.attachment(this.#person, hash)
      if (known === undefined) unknown += 1
      added.push({ ...(known ?? attachment), held: this.#held.has(hash) })
    }
    const { attachedBytes } = limits
    const taken = await this.#node.store.blobs.attachedBytes(this.#person)
    const more = added.reduce((sum, { bytes }) => sum + bytes, 0)
    if (more > 0 && taken + more > attachedBytes)
      throw new Refusal("attachment.full", `There is no room for the ${more} bytes of attachments in the import.`)
    await checkFiles(this.#node, this.#person, unknown)
    return added
  }

  #statusAfter(status: StatusRow): StatusRow {
    const { title = "", preview, latestFile } = this.#head ?? {}
    const files = this.#tree.files.size
    return {
      ...status,
      title: status.title || title || this.#title,
      titledBy: status.title === "" && title !== "" ? "person" : status.titledBy,
      preview: preview ?? this.#preview,
      activityAt: this.#node.clock.now(),
      ...(files === 0
        ? {}
        : { files, latestFile: this.#tree.files.has(latestFile ?? "") ? (latestFile ?? null) : null }),
    }
  }
}

/** Ids as an export numbers them: before every change the conversation will have. */
const CHANGE_ID = /^chg_0{14}\d{5}$/

/** More than messages and their turns: rows that must be kept, or checked against what was written. */
function needsPlace({ kind }: ImportLine): boolean {
  return kind === "content" || kind === "archive" || kind === "file" || kind === "change" || kind === "rollback"
}

function plainMessage(node: ImportAccess, role: "person" | "agent", text: string): MessageRow {
  const at = node.clock.now()
  const id = node.ids.next("msg") as MessageId
  const parts: Part[] = [{ type: "text", text }]
  const from = { scheduleId: null, deliveryId: null, headers: null, subject: null }
  const trigger = { source: "import", firedAt: at, ...from } as const
  return newMessage({ id, ord: 0, role, state: "done", parts, trigger, at })
}
