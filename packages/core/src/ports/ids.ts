export interface Ids {
  /** A new id, `prefix_…`, unique and increasing with time. */
  next(prefix: string): string
}
