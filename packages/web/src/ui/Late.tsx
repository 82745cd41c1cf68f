import { type ReactNode, Suspense, useEffect, useState } from "react"

/** What nobody waits for: fetched and shown once the page has nothing else to do. */
export function Late({ children }: { readonly children: ReactNode }) {
  const [isTime, setTime] = useState(false)
  useEffect(() => {
    // Safari has no idle callback.
    if (typeof requestIdleCallback === "undefined") {
      const timer = setTimeout(() => setTime(true), 1_000)
      return () => clearTimeout(timer)
    }
    const call = requestIdleCallback(() => setTime(true))
    return () => cancelIdleCallback(call)
  }, [])
  return isTime && <Suspense>{children}</Suspense>
}
