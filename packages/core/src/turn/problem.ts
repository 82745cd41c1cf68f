/** A turn cannot continue, for a reason shown in the conversation. */
export class TurnProblem extends Error {
  readonly code: string

  constructor(code: string, detail: string, options: { readonly cause?: unknown } = {}) {
    super(detail, options)
    this.name = "TurnProblem"
    this.code = code
  }
}
