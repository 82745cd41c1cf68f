/** Apart, so that a page that parses messages does not load all limits. */
export const composerLimits = {
  composerNodes: 2_000,
  /** Of a node's reference: a name or a path. */
  referenceLength: 1_024,
} as const
