/**
 * A limit on bytes in flight, in total and per owner (SEC-15). Bytes are released when their request is over.
 */
import { Fault, limits } from "@parlor/protocol"

export type Allowance = {
  /** Throws if there are too many. */
  take(bytes: number): void
  /** Releases everything. */
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
  return new Fault("too many bytes of deliveries in flight", { code: "server.busy", retryAfterMs: limits.heavyRetryMs })
}
