import type { SearchHitView } from "@parlor/protocol"
import { addressOf, firstAgent, pageAddress } from "../place/place.ts"
import { piecesOf } from "./marked.ts"

export type HitViewProps = { readonly hit: SearchHitView; readonly onGo: () => void }

/** One hit: where it is, who said it, and the words in their surroundings. */
export function HitView({ hit, onGo }: HitViewProps) {
  return (
    <li>
      <a
        href={hit.kind === "memory" ? pageAddress("memory", firstAgent) : addressOf(hit.agent, hit.branch)}
        onClick={onGo}
        className="block rounded-lg px-3 py-2 hover:bg-sunken"
      >
        <p className="flex gap-2 text-muted text-sm">
          <span className="min-w-0 truncate">{placeOf(hit)}</span>
          <time className="ml-auto shrink-0" dateTime={new Date(hit.at).toISOString()}>
            {new Date(hit.at).toLocaleDateString()}
          </time>
        </p>
        <p className="break-words">
          {piecesOf(hit.snippet).map((piece) =>
            piece.isFound ? (
              <mark key={piece.at} className="rounded bg-tint text-inherit">
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

function placeOf(hit: SearchHitView): string {
  if (hit.kind === "memory") return `Memory · ${hit.name}`
  const where = hit.title === "" ? `${hit.agent}/${hit.branch}` : `${hit.agent} · ${hit.title}`
  if (hit.kind === "archive") return `${where} · summary`
  const who = hit.role === "person" ? "you" : hit.author || hit.agent
  return `${where} · ${who}${hit.dimmed ? " · rolled back" : ""}`
}
