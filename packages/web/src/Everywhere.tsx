import type { Parlor } from "@parlor/client"
import { type AgentView, countsAsNeeding } from "@parlor/protocol"
import { lazy, type ReactNode, Suspense } from "react"
import { KeyboardHost } from "./features/keyboard/KeyboardHost.tsx"
import { usePageKeys } from "./features/keyboard/usePageKeys.ts"
import { ModelsHost } from "./features/model/ModelsHost.tsx"
import { NewsHost } from "./features/notify/NewsHost.tsx"
import { PaletteHost } from "./features/palette/PaletteHost.tsx"
import { conversationOf, type Place } from "./features/place/place.ts"
import { usePlace } from "./features/place/usePlace.ts"
import { LinkBar } from "./features/status/LinkBar.tsx"
import { useStream } from "./features/status/useLink.ts"
import { useDesk, useFeed } from "./features/tab/DeskContext.ts"
import { SettingsHost } from "./features/theme/SettingsHost.tsx"
import { Boundary } from "./ui/Boundary.tsx"
import { useIdle } from "./ui/useIdle.ts"

const AppHost = lazy(() => import("./features/app/AppHost.tsx"))
const Personal = lazy(() => import("./features/preference/Personal.tsx"))
const Developer = lazy(() => import("./features/sidebar/Developer.tsx").then((m) => ({ default: m.Developer })))

export type EverywhereProps = {
  readonly parlor: Parlor
  readonly place: Place
  readonly agents: readonly AgentView[]
  /** Signs out of this browser. */
  readonly onLeave: () => void
}

/** Always present, whatever page is open: shortcuts, palette, settings, notifications and connection status. */
export function Everywhere({ parlor, place, agents, onLeave }: EverywhereProps) {
  const feed = useFeed()
  const { rows, phase } = feed
  useStream("feed", feed, useDesk())
  usePageKeys(place)
  const isIdle = useIdle()
  return (
    <>
      <LinkBar />
      <Contained>
        <NewsHost
          rows={phase === "ready" ? rows : undefined}
          front={place.page === "conversation" ? conversationOf(place) : undefined}
        />
      </Contained>
      <Contained>
        <PaletteHost parlor={parlor} place={place} conversations={rows} agents={agents} />
      </Contained>
      <Contained>
        <SettingsHost
          onLeave={onLeave}
          personal={() => (
            <Suspense>
              <Personal parlor={parlor} agents={agents} />
            </Suspense>
          )}
          developer={(onClose) => (
            <Suspense>
              <Developer place={place} onChoose={onClose} />
            </Suspense>
          )}
        />
      </Contained>
      {isIdle && (
        <Contained>
          <Suspense>
            <AppHost parlor={parlor} needing={rows.filter(countsAsNeeding).length} />
          </Suspense>
        </Contained>
      )}
      <Contained>
        <ModelsHost parlor={parlor} />
      </Contained>
      <Contained>
        <KeyboardHost />
      </Contained>
    </>
  )
}

/** A dialog or notification that fails to render disappears; the rest of the page keeps working. */
function Contained({ children }: { readonly children: ReactNode }) {
  return (
    <Boundary subject={usePlace()} fallback={() => null}>
      {children}
    </Boundary>
  )
}
