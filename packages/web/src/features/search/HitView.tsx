import type { SearchHitView } from "@parlor/protocol"
import { dayText } from "../../texts/format.ts"
import { cx } from "../../ui/cx.ts"
import { whoWords } from "./hits.ts"
import { piecesOf } from "./marked.ts"

/** One hit: author, time and an excerpt. */
export function HitView({ hit, href }: { readonly hit: SearchHitView; readonly href: string }) {
  return (
    <li>
      <a
        href={href}
        data-hit
        className={cx(
          "block rounded-lg px-3 py-2 hover:bg-sunken focus-visible:bg-sunken",
          hit.kind === "message" && hit.dimmed && "opacity-60",
        )}
      >
        <p className="flex gap-2 text-muted text-xs">
          <span className="min-w-0 truncate">{whoWords(hit)}</span>
          <time className="ml-auto shrink-0" dateTime={new Date(hit.at).toISOString()}>
            {dayText(hit.at)}
          </time>
        </p>
        <p className="break-words text-sm">
          {piecesOf(hit.snippet).map((piece) =>
            piece.isFound ? (
              <mark key={piece.at} className="rounded bg-warn-tint font-medium text-inherit">
                {piece.text}
              </mark>
            ) : (
              piece.text
            ),
          )}
        </p>
      </a>
    </li>
  )
}
