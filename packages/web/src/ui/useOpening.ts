import { useCallback, useState } from "react"

/**
 * Whether a dialog is open, and its how-manieth opening this is: the key to render it with. The browser reports that a
 * dialog has closed a moment after it did. If it is opened again in that moment, the report is about the earlier one.
 */
export function useOpening(): {
  readonly key: number | undefined
  readonly open: () => void
  readonly close: () => void
} {
  const [{ count, isOpen }, set] = useState({ count: 0, isOpen: false })
  const open = useCallback(() => set((now) => ({ count: now.count + 1, isOpen: true })), [])
  const close = useCallback(() => set((now) => (now.count === count ? { count, isOpen: false } : now)), [count])
  return { key: isOpen ? count : undefined, open, close }
}
