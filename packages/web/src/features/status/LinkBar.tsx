import { CloudOff, Wifi } from "lucide-react"
import { t } from "../../texts/en/status.ts"
import { Countdown } from "./Countdown.tsx"
import { type Link, linkWords } from "./link.ts"
import { tryNow, useLink } from "./useLink.ts"

/** The connection bar, shown while the connection is lost and for a moment after. */
export function LinkBar() {
  return <LinkNote link={useLink()} />
}

/** It appears with a delay, because short interruptions recover on their own. */
export function LinkNote({ link }: { readonly link: Link }) {
  const words = linkWords(link)
  const Icon = link.state === "lost" ? CloudOff : Wifi
  return (
    <div
      role="status"
      aria-label={t("connection")}
      className="pointer-events-none fixed inset-x-0 top-15 z-40 mx-auto flex w-fit max-w-[calc(100vw-1.5rem)] justify-center"
    >
      {words && (
        <div
          key={link.state}
          className={`pointer-events-auto flex items-center gap-2.5 rounded-2xl border border-line bg-raised py-1.5 pr-3 pl-3.5 text-sm shadow-float ${link.state === "lost" ? "animate-soon" : "animate-arrive"}`}
        >
          <Icon aria-hidden className={`size-4 shrink-0 ${link.state === "lost" ? "text-warn" : "text-accent"}`} />
          <div className="min-w-0">
            <p>
              <strong className="font-medium">{words.title}.</strong> <span className="text-muted">{words.detail}</span>
            </p>
            {link.state === "lost" && link.isOnline && (
              <p className="text-muted">
                {" "}
                {t("retrying")}
                <Countdown until={link.reconnectAt ?? 0} />
              </p>
            )}
          </div>
          {link.state === "lost" && link.isOnline && (
            <button
              type="button"
              onClick={tryNow}
              className="shrink-0 rounded-full px-2 py-0.5 font-medium text-accent hover:bg-sunken pointer-coarse:min-h-10"
            >
              {t("tryNow")}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
