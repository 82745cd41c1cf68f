import { ArrowUpRight } from "lucide-react"
import type { ComponentProps } from "react"
import type { ExtraProps } from "streamdown"
import { t } from "../../texts/en/markdown.ts"
import { placeOf, safeUrl } from "./safeUrl.ts"

/** An external link: marked as such, opened without a referrer or opener, with its real host in the title (SEC-6). */
export function MarkedLink({ href, children }: ComponentProps<"a"> & ExtraProps) {
  const address = safeUrl(href)
  if (address === undefined) return <span>{children}</span>
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={t("opens", { place: placeOf(address) })}
      className="text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
    >
      {children}
      <ArrowUpRight role="img" aria-label={t("opensInNewTab")} className="ml-0.5 inline size-3 align-baseline" />
    </a>
  )
}
