/**
 * Bytes that may be under way at once, in all and for each of those they are for (SEC-15). What was taken is given back
 * when its request is over.
 */
import { Fault, limits } from "@parlor/protocol"

export type Allowance = {
  /** Throws when there are too many. */
  take(bytes: number): void
  /** Gives back everything that was taken. */
  end(): void
}

export class Allowances {
  readonly #bounds: { readonly all: number; readonly each: number }
  readonly #taken = new Map<string, number>()
  #all = 0

  constructor(bounds: { readonly all: number; readonly each: number }) {
    this.#bounds = bounds
  }

  get bytes(): number {
    return this.#all
  }

  open(whose: string): Allowance {
    let own = 0
    return {
      take: (bytes) => {
        const { all, each } = this.#bounds
        if (this.#all + bytes > all || (this.#taken.get(whose) ?? 0) + bytes > each) throw busy()
        own += bytes
        this.#add(whose, bytes)
      },
      end: () => {
        this.#add(whose, -own)
        own = 0
      },
    }
  }

  #add(whose: string, bytes: number): void {
    this.#all += bytes
    const left = (this.#taken.get(whose) ?? 0) + bytes
    if (left > 0) this.#taken.set(whose, left)
    else this.#taken.delete(whose)
  }
}

function busy(): Fault {
  return new Fault("too many bytes of deliveries at once", { code: "server.busy", retryAfterMs: limits.heavyRetryMs })
}
