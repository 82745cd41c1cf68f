import type {
  AnswerOf,
  ProviderBody,
  ProviderName,
  ProvidersView,
  ProviderView,
  TestedProvider,
} from "@parlor/protocol"
import type { Http } from "./http.ts"

/** Model providers of the server, for its owner (MOD-15). A key goes to the server and never comes back. */
export class Providers {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  list(): Promise<ProvidersView> {
    return this.#http.ask("listProviders", {})
  }

  /** Tested with the provider before it is stored. What is absent stays as stored. */
  connect(provider: ProviderName, body: ProviderBody): Promise<ProviderView> {
    return this.#http.ask("connectProvider", { params: { provider }, body })
  }

  /** Stores nothing. What is absent is taken from what is stored. */
  test(provider: ProviderName, body: ProviderBody = {}): Promise<TestedProvider> {
    return this.#http.ask("testProvider", { params: { provider }, body })
  }

  async disconnect(provider: ProviderName): Promise<AnswerOf<"disconnectProvider">> {
    return this.#http.ask("disconnectProvider", { params: { provider } })
  }
}
