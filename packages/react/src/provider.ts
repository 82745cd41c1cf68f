import type { LiveOptions, Parlor } from "@parlor/client"
import { createContext, createElement, type ReactNode, useContext, useMemo } from "react"
import { type SharedConversation, type Views, viewsOf } from "./views.ts"

export type ParlorProviderProps = {
  /** Create it once, outside of your components. Another client, such as for another person, has its own views. */
  readonly client: Parlor
  /** How conversations are opened, such as `{ storage: localStorage }`. */
  readonly live?: LiveOptions
  readonly children?: ReactNode
}

type Provided = Required<Pick<ParlorProviderProps, "client" | "live">>

const DEFAULTS: LiveOptions = {}

const Context = createContext<Provided | undefined>(undefined)

/** The client for the hooks in `children`. */
export function ParlorProvider({ client, live = DEFAULTS, children }: ParlorProviderProps): ReactNode {
  const value = useMemo(() => ({ client, live }), [client, live])
  return createElement(Context.Provider, { value }, children)
}

export function useParlor(): Parlor {
  return useProvided().client
}

export function useViews(): Views {
  return viewsOf(useProvided().client)
}

export function useShared(agent: string, branch: string | undefined): SharedConversation {
  const { client, live } = useProvided()
  return viewsOf(client).conversation(agent, branch, live)
}

function useProvided(): Provided {
  const provided = useContext(Context)
  if (provided === undefined) throw new Error("Wrap your components in <ParlorProvider client={…}>.")
  return provided
}
