import { ImageIcon } from "lucide-react"
import type { ComponentProps } from "react"
import type { ExtraProps } from "streamdown"
import { t } from "../../texts/en/markdown.ts"
import { MarkedLink } from "./MarkedLink.tsx"
import { safeUrl } from "./safeUrl.ts"

/**
 * An image in a message is shown as a link, never loaded: loading would tell its host that the message was read
 * (SEC-6).
 */
export function PictureLink({ src, alt }: ComponentProps<"img"> & ExtraProps) {
  const address = safeUrl(typeof src === "string" ? src : undefined)
  const label = alt === undefined || alt === "" ? t("picture") : alt
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 rounded-md border border-line bg-sunken px-2 py-0.5 text-sm text-muted">
      <ImageIcon aria-hidden className="size-3.5 shrink-0" />
      {address === undefined ? (
        <span>{t("notShown", { picture: label })}</span>
      ) : (
        <MarkedLink href={address}>{label}</MarkedLink>
      )}
    </span>
  )
}
