import type { AnswerOf, AttachmentView } from "@parlor/protocol"
import { type Http, withKey } from "./http.ts"
import type { OnProgress } from "./upload.ts"

export type AttachOptions = {
  readonly name?: string
  /** `image/png`, `text/plain`, …; a `Blob`'s own when not given. */
  readonly mediaType?: string
  /** Stops it. */
  readonly signal?: AbortSignal
  readonly onProgress?: OnProgress
}

export type AttachmentsQuery = { readonly cursor?: string; readonly limit?: number }

/** What this person attaches to messages: uploaded once, named by its content (CMP-15). */
export class Attachments {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Refused when the content is not what its type says. The same content a second time costs nothing. */
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

  /** The newest first, with what all of them take and may take. */
  list(query: AttachmentsQuery = {}): Promise<AnswerOf<"listAttachments">> {
    return this.#http.ask("listAttachments", { query })
  }

  /** Messages keep its name; nobody can read it from there any more. */
  async delete(hash: string): Promise<void> {
    await this.#http.ask("deleteAttachment", { params: { hash } })
  }
}
