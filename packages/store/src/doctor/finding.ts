/** What the doctor found (OPS-23). */
export type Finding = {
  readonly check: "file" | "log" | "rows" | "contents" | "leases" | "leftovers" | "counts"
  /** `error`: data is wrong or missing. `warning`: harmless, and cleaned up by a repair. */
  readonly severity: "error" | "warning"
  /** The conversation, feed, content or person it is about; empty for the whole database. */
  readonly subject: string
  readonly detail: string
  /** Undefined if only a backup helps. */
  readonly remedy?: Remedy
}

export type Remedy =
  | { readonly kind: "rows"; readonly stream: number; readonly keys: readonly RowKey[] }
  | { readonly kind: "head"; readonly stream: number }
  | { readonly kind: "lease"; readonly stream: number }
  | { readonly kind: "content"; readonly blob: number }
  | { readonly kind: "counts"; readonly person: string }
  /** A statement that a check made. */
  | { readonly kind: "leftovers"; readonly statement: string }

export type RowKey = { readonly collection: string; readonly key: string }

export type Checked = {
  streams: number
  events: number
  rows: number
  contents: number
}
