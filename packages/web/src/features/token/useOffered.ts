import { useEffect } from "react"
import { clearToken } from "./intake.ts"

/**
 * Calls back with a token that comes into the address of a page that is already open: a link followed, an address pasted.
 * It is registered for the capture phase, so that other listeners see the restored previous address.
 */
export function useOffered(onOffered: (token: string) => void): void {
  useEffect(() => {
    const look = ({ oldURL }: HashChangeEvent) => {
      const token = clearToken(window, URL.canParse(oldURL) ? new URL(oldURL).hash : "")
      if (token !== undefined) onOffered(token)
    }
    window.addEventListener("hashchange", look, { capture: true })
    return () => window.removeEventListener("hashchange", look, { capture: true })
  }, [onOffered])
}
