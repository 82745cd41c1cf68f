/** The model of a hosted agent, which has its own: it is only a name (HST-18). */
import { type Model, ModelFault } from "../ports/model.ts"

/** Decides how much of the conversation is read for a new session. */
const WINDOW = 200_000

export function hostedModel(name: string): Model {
  return {
    name,
    window: WINDOW,
    run: () => Promise.reject(new ModelFault("A hosted agent has its own model.", { transient: false })),
  }
}
