import { type Conversation, type Parlor, ParlorError } from "@parlor/client"
import type { ModelSettings, ModelView } from "@parlor/protocol"
import { Check, KeyRound } from "lucide-react"
import { useEffect, useState } from "react"
import { t as words } from "../../texts/en/model.ts"
import { t } from "../../texts/en/providers.ts"
import { cx } from "../../ui/cx.ts"
import { SearchBox } from "../../ui/Field.tsx"
import { registry } from "../keyboard/useShortcut.ts"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { DEMO, matching, providerOf, settingsWith, shortName } from "./modelNames.ts"

/** A shorter list is read faster than filtered. */
const FILTER_FROM = 9

export type ModelPickerProps = {
  readonly parlor: Parlor
  readonly conversation: Conversation
  readonly current: string
  readonly settings: ModelSettings | null
  readonly onDone: () => void
}

/** The models that the agent offers, to choose one for this conversation (MOD-19). */
export default function ModelPicker({ parlor, conversation, current, settings, onDone }: ModelPickerProps) {
  const [models, setModels] = useState<readonly ModelView[]>()
  const [problem, setProblem] = useState<Note>()
  const [query, setQuery] = useState("")
  const { agent } = conversation
  useEffect(() => {
    let isLeft = false
    parlor.models(agent).then(
      (found) => !isLeft && setModels(found),
      (error: unknown) => !isLeft && setProblem(noteOf(error)),
    )
    return () => {
      isLeft = true
    }
  }, [parlor, agent])
  const choose = (model: ModelView) => {
    setProblem(undefined)
    setModel(conversation, settingsWith(settings, model)).then(onDone, (error: unknown) => setProblem(noteOf(error)))
  }
  const shown = matching(models ?? [], query)
  return (
    <div className="space-y-1.5">
      {problem && <Alert note={problem} />}
      {(models?.length ?? 0) >= FILTER_FROM && (
        <SearchBox
          label={t("findAModel")}
          placeholder={t("findAModel")}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          autoFocus
        />
      )}
      <ul className="max-h-72 overflow-y-auto">
        {shown.map((model) => (
          <li key={model.name}>
            <ModelRow model={model} isCurrent={model.name === current} onChoose={() => choose(model)} />
          </li>
        ))}
      </ul>
      {models !== undefined && shown.length === 0 && <p className="px-2.5 py-2 text-muted">{t("noModelLikeThat")}</p>}
      <button
        type="button"
        className={cx(ROW, "border-line border-t text-muted")}
        onClick={() => {
          onDone()
          registry.run("models")
        }}
      >
        <KeyRound aria-hidden className="size-4 shrink-0" /> {t("manage")}
      </button>
    </div>
  )
}

type ModelRowProps = { readonly model: ModelView; readonly isCurrent: boolean; readonly onChoose: () => void }

function ModelRow({ model, isCurrent, onChoose }: ModelRowProps) {
  const { name, ready, missing, isDefault } = model
  const about = [providerOf(name), ...(isDefault ? [t("agentsDefault")] : []), ...(ready ? [] : [t("notSetUp")])]
  return (
    <button
      type="button"
      aria-pressed={isCurrent}
      disabled={!ready}
      title={missing ?? undefined}
      onClick={onChoose}
      className={cx(ROW, "disabled:opacity-50")}
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate">{name === DEMO ? words("demoModel") : shortName(name)}</span>
        <span className="block truncate text-muted text-xs">{about.filter((word) => word !== "").join(" · ")}</span>
      </span>
      {isCurrent && <Check aria-hidden className="size-4 shrink-0 text-accent" />}
    </button>
  )
}

const ROW =
  "flex w-full items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-left hover:bg-line/60 pointer-coarse:min-h-10"

/** A new chat is not on the server before its first message: then it is created first. */
async function setModel(conversation: Conversation, settings: ModelSettings): Promise<void> {
  try {
    await conversation.setModel(settings)
  } catch (error) {
    if (!(error instanceof ParlorError) || error.code !== "conversation.unknown") throw error
    await conversation.make()
    await conversation.setModel(settings)
  }
}
