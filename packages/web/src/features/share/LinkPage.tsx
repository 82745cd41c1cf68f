import { Parlor, ParlorError } from "@parlor/client"
import { parseShareLink } from "@parlor/protocol"
import { useMemo, useSyncExternalStore } from "react"
import { t } from "../../texts/en/share.ts"
import { Mark } from "../../ui/Mark.tsx"
import { Ended } from "./Ended.tsx"
import { SharedView } from "./SharedView.tsx"

/** The page of a share link: without an account, and without anything the browser stored (SHR-12). */
export function LinkPage() {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  const link = useMemo(() => parseShareLink(hash), [hash])
  const parlor = useMemo(
    () => (link === undefined ? undefined : new Parlor({ baseUrl: location.origin, token: link.secret })),
    [link],
  )
  return (
    <div className="flex h-full flex-col">
      <main className="flex min-h-0 flex-1 flex-col">
        {parlor === undefined || link === undefined ? (
          <Ended error={NO_LINK} onRetry={() => undefined} />
        ) : (
          <SharedView key={link.id} parlor={parlor} share={link.id} />
        )}
      </main>
      <footer className="flex shrink-0 items-center justify-center gap-2 border-line border-t py-2 text-muted text-xs">
        <Mark className="size-4" /> {t("madeWith")}
      </footer>
    </div>
  )
}

const NO_LINK = new ParlorError("share.unknown", "The address contains no link.")

function subscribe(changed: () => void): () => void {
  addEventListener("hashchange", changed)
  return () => removeEventListener("hashchange", changed)
}
