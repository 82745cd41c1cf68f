import type { AnswerOf, FileListing, FileRow } from "@parlor/protocol"
import { chunksOf } from "./bytes.ts"
import type { Do } from "./do.ts"
import { ParlorError } from "./error.ts"
import type { Http } from "./http.ts"
import type { InConversation } from "./request.ts"
import type { OnProgress } from "./upload.ts"

export type FileRead = {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The hash of the content, for `was`. */
  readonly hash: string
  readonly mediaType: string
}

/** The state when that message was sent; by default the current one. */
export type AtOptions = { readonly at?: string }

/** The same, or the state before or after a given change. */
export type EarlierOptions = AtOptions & { readonly before?: string; readonly after?: string }

/** The expected hash, `*` for any, null for no file. A difference is refused (`file.changed`, `file.exists`). */
export type WasOptions = { readonly was?: string | null }

export type WriteOptions = WasOptions & {
  /** Cancels it. If the file had already arrived, it stays. */
  readonly signal?: AbortSignal
  readonly onProgress?: OnProgress
}

/** The files of a conversation's workspace (WSP-4). */
export class Files {
  readonly #do: Do
  readonly #http: Http
  readonly #params: InConversation

  constructor(act: Do, http: Http, params: InConversation) {
    this.#do = act
    this.#http = http
    this.#params = params
  }

  /** Ordered by path. */
  async list(options: AtOptions = {}): Promise<readonly FileListing[]> {
    return (await this.#do("listFiles", { query: { at: options.at } })).files
  }

  async read(path: string, options: EarlierOptions = {}): Promise<FileRead> {
    const { at, before, after } = options
    const response = await this.#http.open("readFile", {
      params: { ...this.#params, path: checked(path) },
      query: { at, before, after },
    })
    const hash = /^"(.*)"$/.exec(response.headers.get("etag") ?? "")?.[1] ?? ""
    return { bytes: await bytesOf(response), hash, mediaType: response.headers.get("content-type") ?? "" }
  }

  /** Creates or replaces a file. Text is written as UTF-8. */
  async write(
    path: string,
    content: string | Uint8Array<ArrayBuffer> | Blob,
    options: WriteOptions = {},
  ): Promise<FileRow> {
    const { signal, onProgress } = options
    const request = {
      params: { path: checked(path) },
      raw: { type: "application/octet-stream", body: content },
      headers: seen(options),
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
    }
    return (await this.#do("writeFile", request)).file
  }

  async delete(path: string, options: WasOptions = {}): Promise<void> {
    await this.#do("removeFile", { params: { path: checked(path) }, headers: seen(options) })
  }

  /** The changes of one turn, of one file, or all of them, by page, newest first. */
  changes(
    query: { readonly turn?: string; readonly path?: string; readonly cursor?: string; readonly limit?: number } = {},
  ): Promise<AnswerOf<"listChanges">> {
    return this.#do("listChanges", { query })
  }
}

/** The server rejects these paths, and `fetch` would resolve a `..` segment before the request is sent. */
function checked(path: string): string {
  if (path.split("/").some((step) => step === "" || /^(?:\.|%2e){1,2}$/i.test(step)))
    throw new ParlorError("file.path", `${JSON.stringify(path)} is not a valid file path.`, { status: 422 })
  return path
}

function seen({ was }: WasOptions): Readonly<Record<string, string>> {
  if (was === undefined) return {}
  if (was === null) return { "if-none-match": "*" }
  return { "if-match": was === "*" ? "*" : `"${was}"` }
}

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunksOf(response.body)) {
    chunks.push(chunk)
    length += chunk.length
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
