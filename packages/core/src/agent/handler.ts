/** What an agent's own code may do in a turn (CMP-8 to CMP-12). */

export type Handler = (ctx: HandlerContext) => Promise<void>

export interface HandlerContext {
  /** Runs the standard turn: skills, memory index, model, tools. */
  run(): Promise<void>
}
