import type { Parlor } from "@parlor/client"
import type { ProviderName, ProvidersView } from "@parlor/protocol"
import { useCallback, useEffect, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/providers.ts"
import { rich } from "../../texts/rich.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { LocalServers } from "./LocalServers.tsx"
import { DEMO } from "./modelNames.ts"
import { tellModelsChanged } from "./modelsChanged.ts"
import { ProviderRow } from "./ProviderRow.tsx"

export type ModelsDialogProps = { readonly parlor: Parlor; readonly onClose: () => void }

/** Connects model providers, for the owner of the server (MOD-19). Nothing here ever receives a key from the server. */
export default function ModelsDialog({ parlor, onClose }: ModelsDialogProps) {
  const [view, setView] = useState<ProvidersView>()
  const [problem, setProblem] = useState<Note>()
  const [opened, setOpened] = useState<ProviderName>()
  const load = useCallback(async () => {
    try {
      setView(await parlor.providers.list())
      setProblem(undefined)
    } catch (error) {
      setProblem(noteOf(error))
    }
  }, [parlor])
  useEffect(() => void load(), [load])
  const changed = async () => {
    setOpened(undefined)
    tellModelsChanged()
    await load()
  }
  return (
    <Dialog title={t("modelsAndKeys")} isOpen onClose={onClose} className="w-[min(36rem,94vw)]">
      <div className="space-y-5 text-sm">
        {problem?.code === "auth.forbidden" && <p>{t("askTheOwner")}</p>}
        {problem !== undefined && problem.code !== "auth.forbidden" && (
          <div className="space-y-3">
            <Alert note={problem} />
            <Button onClick={() => void load()}>{common("tryAgain")}</Button>
          </div>
        )}
        {view === undefined && problem === undefined && <div aria-busy className="h-72" />}
        {view !== undefined && (
          <>
            <InUse view={view} />
            <LocalServers parlor={parlor} view={view} onChanged={changed} />
            <ul className="divide-y divide-line rounded-xl border border-line">
              {view.providers
                .filter(({ provider }) => provider !== "local")
                .map((provider) => (
                  <ProviderRow
                    key={provider.provider}
                    parlor={parlor}
                    view={provider}
                    isInUse={view.model === `${provider.provider}/${provider.stored?.model}`}
                    isOpen={opened === provider.provider}
                    onOpen={(isOpen) => setOpened(isOpen ? provider.provider : undefined)}
                    onChanged={changed}
                  />
                ))}
            </ul>
          </>
        )}
      </div>
    </Dialog>
  )
}

function InUse({ view: { model, variable } }: { readonly view: ProvidersView }) {
  return (
    <div className="space-y-2">
      {model === DEMO ? (
        <p>{t("demoAnswers")}</p>
      ) : (
        <p>{rich(t.pieces("agentsUse", { model: <strong className="break-all font-semibold">{model}</strong> }))}</p>
      )}
      {variable !== null && <p className="rounded-lg bg-warn-tint px-3 py-2">{t("variableDecides", { variable })}</p>}
    </div>
  )
}
