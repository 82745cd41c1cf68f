export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
}
