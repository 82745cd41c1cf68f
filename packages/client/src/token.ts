/**
 * The token of a client. A function is asked when the first request needs a token, again when the server rejects the
 * token with 401, and again when the time has come that it named; requests in between share the answer, and concurrent
 * rejections ask once.
 */
import { ParlorError } from "./error.ts"

/**
 * A function may take its time, such as for a request to your own server. It is asked again when the token expires, with
 * the token that the server rejected last, if any: that one is not worth returning.
 */
export type Token = string | TokenFunction
type TokenFunction = (rejected: string | undefined) => Answer | Promise<Answer>

/** `until`: when to ask for the next one, in milliseconds since 1970. Choose a time before it expires. */
export type TimedToken = { readonly token: string; readonly until: number }
type Answer = string | TimedToken

export class Tokens {
  readonly #token: Token
  #asked: Promise<string> | undefined
  #last: string | undefined
  #rejected: string | undefined
  #until = Number.POSITIVE_INFINITY

  constructor(token: Token) {
    this.#token = token
  }

  /** Whether a rejected token can be replaced by another one. */
  get canRenew(): boolean {
    return typeof this.#token === "function"
  }

  /**
   * Rejects with `token.unavailable` if the function fails, and with the signal's reason if it aborts first. The next
   * request asks again then: a function that never answers must not block the client for good.
   */
  get(signal: AbortSignal | undefined): string | Promise<string> {
    if (typeof this.#token === "string") return this.#token
    if (Date.now() >= this.#until) this.#forget(this.#asked)
    this.#asked ??= this.#ask(this.#token)
    const asked = this.#asked
    return unlessAborted(asked, signal, () => this.#forget(asked))
  }

  /** The server rejected this token. If another request reported it first, its successor is kept. */
  drop(rejected: string): void {
    if (this.#last !== rejected) return
    this.#rejected = rejected
    this.#asked = this.#last = undefined
  }

  #ask(ask: TokenFunction): Promise<string> {
    this.#until = Number.POSITIVE_INFINITY
    const asked: Promise<string> = Promise.resolve(this.#rejected)
      .then(ask)
      .then(
        (answer) => {
          const { token, until } = typeof answer === "string" ? { token: answer, until: this.#until } : answer
          if (this.#asked === asked) {
            this.#last = token
            this.#until = until
          }
          return token
        },
        (error: unknown) => {
          this.#forget(asked)
          if (error instanceof ParlorError) throw error
          throw new ParlorError("token.unavailable", "The token function failed.", { cause: error })
        },
      )
    return asked
  }

  #forget(asked: Promise<string> | undefined): void {
    if (this.#asked === asked) this.#asked = undefined
  }
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined, onAbort: () => void): Promise<T> {
  if (signal === undefined) return promise
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => {
      onAbort()
      reject(signal.reason)
    }
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop))
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop)
  })
}
