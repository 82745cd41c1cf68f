/** A problem that the person at the terminal can solve. Nothing was changed. */
export class OperatorError extends Error {
  constructor(message: string) {
    super(message)
    this.name = "OperatorError"
  }
}
