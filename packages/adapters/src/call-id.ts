/** The id of a tool call in its conversation, for protocols that need one. Models restart their numbering in each step. */
export function callIdOf(message: string, call: string): string {
  return `${message}.${call}`
}
