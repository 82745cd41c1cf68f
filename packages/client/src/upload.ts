/**
 * A request that reports upload progress. `fetch` cannot do that; `XMLHttpRequest`, which browsers have, can.
 * Where it does not exist, no progress is reported and everything else is the same.
 */

/** The share that was uploaded, from 0 to 1. Not called if it is unknown. */
export type OnProgress = (share: number) => void

export function canTell({ body }: RequestInit): boolean {
  return typeof XMLHttpRequest !== "undefined" && !(body instanceof ReadableStream)
}

/** Like `fetch`, rejects only if there is no response or the signal aborts. */
export function sendTelling(url: string, init: RequestInit, onProgress: OnProgress): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { signal } = init
    if (signal?.aborted) return reject(signal.reason)
    const request = new XMLHttpRequest()
    const stop = (): void => request.abort()
    request.open(init.method ?? "GET", url)
    request.responseType = "blob"
    new Headers(init.headers).forEach((value, name) => {
      request.setRequestHeader(name, value)
    })
    request.upload.onprogress = ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total)
    }
    request.onload = () => resolve(answerOf(request))
    request.onerror = () => reject(new TypeError("There was no response."))
    request.onabort = () => reject(signal?.reason)
    request.onloadend = () => signal?.removeEventListener("abort", stop)
    signal?.addEventListener("abort", stop)
    // It cannot send a stream; callers never pass one here.
    request.send((init.body ?? null) as XMLHttpRequestBodyInit | null)
  })
}

/** A `Response` with one of these statuses must not have a body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

function answerOf(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const colon = line.indexOf(":")
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const { status, statusText } = request
  return new Response(BODILESS.has(status) ? null : (request.response as Blob), { status, statusText, headers })
}
