/** Replaces fast-check during mutation runs: a broken mutant shows in the first examples or hardly ever. */
import * as fastCheck from "fast-check"

export * from "fast-check"

const MOST_RUNS = 40

export const assert: typeof fastCheck.assert = ((property: never, parameters: { numRuns?: number } = {}) =>
  fastCheck.assert(property, {
    ...parameters,
    numRuns: Math.min(parameters.numRuns ?? MOST_RUNS, MOST_RUNS),
    endOnFailure: true,
  })) as typeof fastCheck.assert

export default { ...fastCheck, assert }
