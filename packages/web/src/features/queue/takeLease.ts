import type { LiveConversation } from "@parlor/client"

/**
 * An edit lease that ends however the editing ends. Without one a message can still be edited: its version tells whether
 * it started meanwhile, so a lease that cannot be had is no reason to stop anybody.
 */
export function takeLease(
  live: LiveConversation,
  id: string,
): {
  /** Lets the message start as it was. */
  release(): void
  /** The edit that was saved has ended the lease already. */
  forget(): void
} {
  const over = new AbortController()
  const taken = live.lease(id, { signal: over.signal }).catch(() => undefined)
  return {
    release: () => void (over.signal.aborted || taken.then((lease) => lease?.release()).catch(() => undefined)),
    forget: () => over.abort(),
  }
}
