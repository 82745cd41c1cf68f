import type { Parlor } from "@parlor/client"
import type { AgentView } from "@parlor/protocol"
import { KeyboardHost } from "./features/keyboard/KeyboardHost.tsx"
import { usePageKeys } from "./features/keyboard/usePageKeys.ts"
import { NewsHost } from "./features/notify/NewsHost.tsx"
import { PaletteHost } from "./features/palette/PaletteHost.tsx"
import { conversationOf, type Place } from "./features/place/place.ts"
import { LinkBar } from "./features/status/LinkBar.tsx"
import { useStream } from "./features/status/useLink.ts"
import { useDesk, useFeed } from "./features/tab/DeskContext.ts"
import { SettingsHost } from "./features/theme/SettingsHost.tsx"

export type EverywhereProps = {
  readonly parlor: Parlor
  readonly place: Place
  readonly agents: readonly AgentView[]
  /** Forgets who one is, in this browser. */
  readonly onLeave: () => void
}

/** What is there whatever is in front: keys, palette, settings, notices, and how the connection is. */
export function Everywhere({ parlor, place, agents, onLeave }: EverywhereProps) {
  const feed = useFeed()
  const { rows, phase } = feed
  useStream("feed", feed, useDesk())
  usePageKeys(place)
  return (
    <>
      <LinkBar />
      <NewsHost
        rows={phase === "ready" ? rows : undefined}
        front={place.page === "conversation" ? conversationOf(place) : undefined}
      />
      <PaletteHost parlor={parlor} place={place} conversations={rows} agents={agents} />
      <SettingsHost onLeave={onLeave} />
      <KeyboardHost />
    </>
  )
}
