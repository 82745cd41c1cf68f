/**
 * Uploads per conversation. A finished upload becomes part of the draft and survives a reload; a running or failed one
 * exists only in this page.
 *
 *   waiting ──a place is free──▶ busy ──answered──▶ done (in the draft)
 *                                 │ ▲
 *                             failed │ retry        remove: gone, from any state
 *                                 ▼ │
 *                                failed
 */

import type { AttachOptions } from "@parlor/client"
import { type AttachmentView, limits } from "@parlor/protocol"
import { t } from "../../texts/en/attachment.ts"
import { percentOf } from "../../ui/Progress.tsx"
import type { OwnPart } from "../keep/own.ts"
import { type Note, noteOf } from "../status/problemWords.ts"
import { isPicture, mediaTypeOf, refusalOf } from "./media.ts"

export type Upload = {
  readonly id: string
  readonly name: string
  readonly bytes: number
  /** An object URL of the image. */
  readonly preview: string | undefined
  readonly state: "waiting" | "busy" | "failed"
  /** Upload progress; undefined before it starts and where the browser can't report it. */
  readonly percent: number | undefined
  readonly note: Note | undefined
  /** Whether a retry may succeed. */
  readonly mayRetry: boolean
}

export type UploadTo = {
  readonly conversation: string
  readonly attach: (file: Blob, options: AttachOptions) => Promise<AttachmentView>
  /** How many attachments the draft already has. */
  readonly attached: () => number
  readonly done: (view: AttachmentView) => void
}

export type Uploads = {
  /** Returns the same array until it changes. */
  readonly read: (conversation: string) => readonly Upload[]
  readonly add: (to: UploadTo, files: readonly File[]) => void
  readonly retry: (conversation: string, id: string) => void
  readonly remove: (conversation: string, id: string) => void
  /** The image of a file uploaded from this page. */
  readonly preview: (hash: string) => string | undefined
  readonly subscribe: (listener: () => void) => () => void
}

type Entry = { upload: Upload; readonly file: File; readonly to: UploadTo; readonly removed: AbortController }

const MAX_AT_ONCE = 3
const MAX_PREVIEWS = 64
const NONE: readonly Upload[] = []

export type Pictures = { readonly make: (file: Blob) => string; readonly drop: (url: string) => void }

export const ownUploads: OwnPart<Uploads> = () => makeUploads(browserPictures)

export function makeUploads(pictures: Pictures): Uploads {
  let entries: readonly Entry[] = []
  let views = new Map<string, readonly Upload[]>()
  let nextId = 0
  /** In insertion order, so that the oldest are evicted first. */
  const previews = new Map<string, string>()
  const listeners = new Set<() => void>()

  const changed = () => {
    views = new Map()
    for (const listener of listeners) listener()
  }
  const set = (entry: Entry, change: Partial<Upload>) => {
    entry.upload = { ...entry.upload, ...change }
    changed()
  }
  const drop = (entry: Entry) => {
    entries = entries.filter((one) => one !== entry)
    changed()
  }
  const keepPreview = (hash: string, url: string | undefined) => {
    if (url === undefined) return
    const before = previews.get(hash)
    if (before !== undefined) return pictures.drop(url)
    previews.set(hash, url)
    for (const [oldest, old] of previews) {
      if (previews.size <= MAX_PREVIEWS) break
      previews.delete(oldest)
      pictures.drop(old)
    }
  }
  const work = () => {
    const busy = entries.filter(({ upload }) => upload.state === "busy").length
    const next = entries.filter(({ upload }) => upload.state === "waiting").slice(0, MAX_AT_ONCE - busy)
    for (const entry of next) void upload(entry).finally(work)
  }
  const upload = async (entry: Entry) => {
    const { file, to, removed } = entry
    set(entry, { state: "busy", note: undefined, percent: undefined })
    const onProgress = (share: number) => {
      const percent = percentOf(share)
      if (percent !== entry.upload.percent && !removed.signal.aborted) set(entry, { percent })
    }
    try {
      const mediaType = await mediaTypeOf(file)
      const refusal = refusalOf(file, mediaType)
      if (refusal !== undefined || mediaType === undefined)
        return set(entry, { state: "failed", note: refusal, mayRetry: false })
      if (isPicture(mediaType) && entry.upload.preview === undefined) set(entry, { preview: pictures.make(file) })
      const name = nameFor(file.name)
      const view = await to.attach(file, { name, mediaType, signal: removed.signal, onProgress })
      if (removed.signal.aborted) return
      keepPreview(view.hash, entry.upload.preview)
      // In the same task, so that it is never shown twice or not at all.
      to.done(view)
      drop(entry)
    } catch (error) {
      if (!removed.signal.aborted) set(entry, { state: "failed", note: noteOf(error), mayRetry: mayHelp(error) })
    }
  }
  const find = (conversation: string, id: string) =>
    entries.find(({ to, upload: { id: its } }) => to.conversation === conversation && its === id)

  return {
    read: (conversation) => {
      const known = views.get(conversation)
      if (known !== undefined) return known
      const mine = entries.filter(({ to }) => to.conversation === conversation).map((entry) => entry.upload)
      const view = mine.length === 0 ? NONE : mine
      views.set(conversation, view)
      return view
    },
    add: (to, files) => {
      const there = to.attached() + entries.filter((entry) => entry.to.conversation === to.conversation).length
      const added = files.map((file, index): Entry => {
        const isTooMany = there + index >= limits.attachmentsPerMessage
        const upload: Upload = {
          id: `upload-${nextId++}`,
          name: file.name === "" ? "file" : file.name,
          bytes: file.size,
          preview: undefined,
          state: isTooMany ? "failed" : "waiting",
          percent: undefined,
          note: isTooMany ? tooMany() : undefined,
          mayRetry: false,
        }
        return { upload, file, to, removed: new AbortController() }
      })
      entries = [...entries, ...added]
      changed()
      work()
    },
    retry: (conversation, id) => {
      const entry = find(conversation, id)
      if (entry?.upload.state !== "failed") return
      set(entry, { state: "waiting", note: undefined })
      work()
    },
    remove: (conversation, id) => {
      const entry = find(conversation, id)
      if (entry === undefined) return
      entry.removed.abort()
      if (entry.upload.preview !== undefined) pictures.drop(entry.upload.preview)
      drop(entry)
    },
    preview: (hash) => previews.get(hash),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const browserPictures: Pictures = {
  make: (file) => URL.createObjectURL(file),
  drop: (url) => URL.revokeObjectURL(url),
}

function tooMany(): Note {
  return { code: "attachment.too-many", detail: t("tooMany", { most: limits.attachmentsPerMessage }) }
}

/** A name the server accepts: no slashes, no control characters, limited length. */
function nameFor(name: string): string {
  const clean = name.replace(/[/\\\p{Cc}]/gu, "_").slice(0, limits.attachmentNameLength)
  return clean === "" ? "file" : clean.toWellFormed()
}

/** An unreachable server may come back; a server that rejected this file will reject it again. */
function mayHelp(error: unknown): boolean {
  const { passing } = (error ?? {}) as { readonly passing?: unknown }
  return passing !== false
}
