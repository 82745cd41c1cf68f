import type { Parlor } from "@parlor/client"
import type { AgentView } from "@parlor/protocol"
import { useEffect, useState } from "react"

/** The models that at least one agent offers and that are set up, by name. Empty while they are not known. */
export function useOfferedModels(
  parlor: Pick<Parlor, "models">,
  agents: readonly Pick<AgentView, "name">[],
): readonly string[] {
  const [models, setModels] = useState<readonly string[]>([])
  useEffect(() => {
    let isLeft = false
    // An agent whose models cannot be read offers none here; the others are still listed.
    void Promise.allSettled(agents.map(({ name }) => parlor.models(name))).then((lists) => {
      const ready = lists
        .flatMap((list) => (list.status === "fulfilled" ? list.value : []))
        .filter(({ ready }) => ready)
      if (!isLeft) setModels([...new Set(ready.map(({ name }) => name))])
    })
    return () => {
      isLeft = true
    }
  }, [parlor, agents])
  return models
}
