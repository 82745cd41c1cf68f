/** Apart from the other limits, so that a page that parses messages does not load all of them. */
export const composerNodes = 2_000
/** Of a node's reference: a name or a path. */
export const referenceLength = 1_024
