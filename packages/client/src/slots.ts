/**
 * Connections that may stay open. Over HTTP/1.1 a browser opens at most six connections to a server, for all windows
 * together: if streams use them all, every other request waits (TAB-50).
 */
export type StreamSlots = {
  /** Undefined if all are in use. Then the stream is read up to date, and again after `pause`. */
  take(): Promise<StreamSlot | undefined>
  /** Waits until the next read, or until a slot can be taken. */
  pause(signal: AbortSignal | undefined): Promise<void>
}

export type StreamSlot = {
  /** Aborts when the slot is needed elsewhere. */
  readonly lost: AbortSignal
  release(): void
}
