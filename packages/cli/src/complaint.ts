import { exitCodes } from "./exit-codes.ts"

/** An error that the person at the terminal can fix. Its message is shown unchanged. */
export class Complaint extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.usage) {
    super(message)
    this.exitCode = exitCode
  }
}
