/** Replaces `@ungap/structured-clone`, which in every browser of today only calls the browser's own function. */
export default (value: unknown): unknown => structuredClone(value)
