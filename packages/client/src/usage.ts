import type { AnswerOf } from "@parlor/protocol"
import type { Http } from "./http.ts"

/** `person`: someone else, with the right to manage. `days`: today and the days before it; one when not given. */
export type UsageQuery = { readonly person?: string; readonly days?: number }

export function readUsage(http: Http, query: UsageQuery): Promise<AnswerOf<"readUsage">> {
  return http.ask("GET", "/v1/usage", { query })
}
