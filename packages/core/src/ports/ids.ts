export interface Ids {
  /** A new id, `prefix_…`, unique and rising with time. */
  next(prefix: string): string
}
