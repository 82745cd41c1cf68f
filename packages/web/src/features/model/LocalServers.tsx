import type { Parlor } from "@parlor/client"
import type { ProvidersView } from "@parlor/protocol"
import { useState } from "react"
import { t } from "../../texts/en/providers.ts"
import { Button } from "../../ui/Button.tsx"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { ModelSelect } from "./ModelSelect.tsx"

export type LocalServersProps = {
  readonly parlor: Parlor
  readonly view: ProvidersView
  readonly onChanged: () => Promise<void>
}

/** Model servers that run on the server's machine: used with one click, without a key (MOD-18). */
export function LocalServers({ parlor, view, onChanged }: LocalServersProps) {
  if (view.local.length === 0) return null
  return (
    <section aria-label={t("foundHere")} className="space-y-2 rounded-xl border border-line p-3">
      <h3 className="font-semibold">{t("foundHere")}</h3>
      {view.local.map((server) => (
        <LocalServer key={server.url} parlor={parlor} server={server} inUse={view.model} onChanged={onChanged} />
      ))}
    </section>
  )
}

type LocalServerProps = Pick<LocalServersProps, "parlor" | "onChanged"> & {
  readonly server: ProvidersView["local"][number]
  readonly inUse: string
}

function LocalServer({ parlor, server, inUse, onChanged }: LocalServerProps) {
  const used = server.models.find((id) => inUse === `local/${id}`)
  const [chosen, setChosen] = useState(used ?? server.models[0] ?? "")
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Note>()
  const use = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await parlor.providers.connect("local", { model: chosen })
      await onChanged()
    } catch (error) {
      setProblem(noteOf(error))
    }
    setBusy(false)
  }
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto">{t("serverModels", { name: server.name, count: server.models.length })}</p>
        <ModelSelect label={t("model")} models={server.models} value={chosen} onChange={setChosen} />
        <Button onClick={() => void use()} disabled={isBusy || used === chosen}>
          {isBusy ? t("testing", { title: server.name }) : used === chosen ? t("inUse") : t("use")}
        </Button>
      </div>
      {problem && <Alert note={problem} />}
    </div>
  )
}
