import type { Parlor } from "@parlor/client"
import { type AgentView, needsYou } from "@parlor/protocol"
import { useEffect } from "react"
import { Everywhere } from "./Everywhere.tsx"
import { ConfigNote } from "./features/agent/ConfigNote.tsx"
import { useAgents } from "./features/agent/useAgents.ts"
import { SkipLink } from "./features/keyboard/SkipLink.tsx"
import { Conversation } from "./features/pane/Conversation.tsx"
import { forgetFirstAgent, rememberFirstAgent } from "./features/place/firstAgent.ts"
import type { PageName, Place } from "./features/place/place.ts"
import { usePlace } from "./features/place/usePlace.ts"
import { rememberPreferredAgent, usePreferredFirst } from "./features/preference/preferredAgent.ts"
import { SidePlace } from "./features/sidebar/SidePlace.tsx"
import { useTabKeys } from "./features/sidebar/useTabKeys.ts"
import { refusesToken } from "./features/status/problemWords.ts"
import { useFeed } from "./features/tab/DeskContext.ts"
import { titleOf } from "./features/tab/tabList.ts"
import { windowTitle } from "./features/tab/tabWords.ts"
import { useReading } from "./features/tab/useReading.ts"
import { type Tabs, useTabs } from "./features/tab/useTabs.ts"
import { PageInFront } from "./PageInFront.tsx"
import { t as goTo } from "./texts/en/keyboard.ts"
import { t } from "./texts/en/sidebar.ts"

export type RoomProps = {
  readonly parlor: Parlor
  /** The server no longer accepts the token. */
  readonly onRefused: () => void
  /** The person signs out of this browser. */
  readonly onLeave: () => void
}

/** The page after sign-in: the sidebar, and a conversation or another page. */
export function Room(props: RoomProps) {
  const agents = usePreferredFirst(useAgents(props.parlor, props.onRefused))
  const first = agents[0]?.name
  useEffect(() => {
    if (first !== undefined) rememberFirstAgent(first)
  }, [first])
  // The first visit, at an address that names no agent: it is known in a moment.
  if (usePlace().agent === "") return <main aria-busy className="min-h-full" />
  const leave = () => {
    forgetFirstAgent()
    rememberPreferredAgent(undefined)
    props.onLeave()
  }
  return <Furnished {...props} onLeave={leave} agents={agents} />
}

function Furnished({ parlor, agents, onRefused, onLeave }: RoomProps & { readonly agents: readonly AgentView[] }) {
  const place = usePlace()
  const { error } = useFeed()
  const tabs = useTabs(parlor)
  const isRefused = refusesToken(error)
  useEffect(() => {
    if (isRefused) onRefused()
  }, [isRefused, onRefused])
  useTabKeys(tabs, agents)
  useReading(parlor)
  useWindowTitle(place, tabs)
  return (
    <>
      <SkipLink />
      <SidePlace parlor={parlor} agents={agents} place={place} tabs={tabs}>
        <InFront parlor={parlor} place={place} agents={agents} onRefused={onRefused} />
      </SidePlace>
      <ConfigNote parlor={parlor} />
      <Everywhere parlor={parlor} place={place} agents={agents} onLeave={onLeave} />
    </>
  )
}

type InFrontProps = {
  readonly parlor: Parlor
  readonly place: Place
  readonly agents: readonly AgentView[]
  readonly onRefused: () => void
}

function InFront({ parlor, place, agents, onRefused }: InFrontProps) {
  const { page, agent, branch } = place
  if (page !== "conversation") return <PageInFront parlor={parlor} place={{ ...place, page }} onRefused={onRefused} />
  return <Conversation parlor={parlor} agent={agent} branch={branch} agents={agents} onRefused={onRefused} />
}

function useWindowTitle({ page }: Place, { open, archived, front }: Tabs): void {
  const tab = [...open, ...archived].find(({ key }) => key === front) ?? { row: undefined }
  const needing = open.filter(({ row }) => row !== undefined && needsYou(row)).length
  const title = windowTitle(page === "conversation" ? titleOf(tab) : pageTitle(page), needing)
  useEffect(() => {
    document.title = title
  }, [title])
}

function pageTitle(page: PageName): string {
  if (page === "search") return t("search")
  return page === "shared" ? t("sharedWithMe") : goTo(page)
}
