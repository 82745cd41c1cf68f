import type { AnswerOf, AttachmentView } from "@parlor/protocol"
import { type Http, withKey } from "./http.ts"
import type { OnProgress } from "./upload.ts"

export type AttachOptions = {
  readonly name?: string
  /** `image/png`, `text/plain`, …; by default the type of the `Blob`. */
  readonly mediaType?: string
  /** Cancels the upload. */
  readonly signal?: AbortSignal
  readonly onProgress?: OnProgress
}

export type AttachmentsQuery = { readonly cursor?: string; readonly limit?: number }

/** Attachments of this person: uploaded once, identified by their content (CMP-15). */
export class Attachments {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Rejected if the content does not match its type. Uploading the same content again does not count twice. */
  async add(content: Uint8Array<ArrayBuffer> | Blob, options: AttachOptions = {}): Promise<AttachmentView> {
    const { name, mediaType, signal, onProgress } = options
    const type = mediaType ?? (content instanceof Blob ? content.type : "")
    const request = {
      query: { name },
      raw: { type, body: content },
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
    }
    const response = await this.#http.open("attach", withKey(request))
    return (await response.json()) as AttachmentView
  }

  async read(hash: string): Promise<Blob> {
    const response = await this.#http.open("readAttachment", { params: { hash } })
    return response.blob()
  }

  /** Newest first, with the space used and the space allowed. */
  list(query: AttachmentsQuery = {}): Promise<AnswerOf<"listAttachments">> {
    return this.#http.ask("listAttachments", { query })
  }

  /** Messages keep its name, but its content can no longer be read. */
  async delete(hash: string): Promise<void> {
    await this.#http.ask("deleteAttachment", { params: { hash } })
  }
}
