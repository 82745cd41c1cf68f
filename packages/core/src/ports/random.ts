export interface Random {
  /** At least 0 and less than 1. */
  next(): number
}
