import type { InspectedStep, InspectedTurn } from "@parlor/protocol"
import { FileQuestionMark } from "lucide-react"
import { useState } from "react"
import { t } from "../../texts/en/inspector.ts"
import { momentText } from "../../texts/format.ts"
import { Empty } from "../../ui/Empty.tsx"
import { Segments } from "../../ui/Segments.tsx"
import { ChangeLog } from "./ChangeLog.tsx"
import { countText, shareText, spanText, usageFigures } from "./figures.ts"
import { PromptView } from "./PromptView.tsx"
import { ToolsOffered } from "./ToolsOffered.tsx"
import { stateText, turnTitle } from "./turnWords.ts"
import { Waterfall } from "./Waterfall.tsx"

export type TurnDetailProps = {
  readonly inspected: InspectedTurn
  readonly now: number
  readonly onStep: (step: number) => void
}

const VIEWS = ["timeline", "prompt", "tools", "changes"] as const
type View = (typeof VIEWS)[number]

/** One turn: its timeline, prompts, tools and changes. */
export function TurnDetail({ inspected, now, onStep }: TurnDetailProps) {
  const [view, setView] = useState<View>("timeline")
  const { turn, recorded, steps } = inspected
  const step = chosenStep(steps)
  return (
    <article aria-label={turnTitle(turn)} className="space-y-4">
      <header>
        <h2 className="break-words font-semibold text-lg leading-snug">{turnTitle(turn)}</h2>
        <Figures inspected={inspected} now={now} />
        {turn.error !== null && (
          <p className="mt-2 rounded-xl bg-bad-tint px-3.5 py-2 text-bad text-sm">
            {turn.error.detail} ({turn.error.code})
          </p>
        )}
      </header>
      {!recorded && (
        <Empty icon={FileQuestionMark} title={t("notRecorded")}>
          {t("whyNotRecorded")}
        </Empty>
      )}
      {recorded && (
        <>
          <Segments
            label={t("view")}
            value={view}
            options={VIEWS.map((value) => ({ value, label: t(value) }))}
            onChange={setView}
          />
          {(view === "prompt" || view === "tools") && steps.length > 1 && (
            <StepPicker steps={steps} chosen={step?.number} onStep={onStep} />
          )}
          {view === "timeline" && <Waterfall inspected={inspected} now={now} />}
          {view === "prompt" &&
            (step === undefined ? <NoSteps /> : <PromptView key={step.number} prompt={step.prompt} />)}
          {view === "tools" && (step === undefined ? <NoSteps /> : <ToolsOffered request={step.prompt.request} />)}
          {view === "changes" && <ChangeLog {...inspected} />}
        </>
      )}
    </article>
  )
}

function NoSteps() {
  return <p className="text-muted text-sm">{t("noModelCalled")}</p>
}

/** The step whose prompt was requested; the response omits the others. */
function chosenStep(steps: readonly InspectedStep[]): InspectedStep | undefined {
  return steps.find(({ prompt }) => prompt.state !== "left-out") ?? steps[0]
}

function Figures({ inspected: { turn, steps }, now }: Pick<TurnDetailProps, "inspected" | "now">) {
  const models = [...new Set(steps.flatMap(({ model }) => (model === null ? [] : [model])))]
  const figures = [
    { label: t("state"), value: stateText(turn.state) },
    { label: t("duration"), value: spanText((turn.endedAt ?? now) - turn.startedAt) },
    { label: t("started"), value: momentText(turn.startedAt) },
    ...(models.length > 0 ? [{ label: t("models", { count: models.length }), value: models.join(", ") }] : []),
    ...usageFigures(turn.usage),
    ...(turn.context === null ? [] : [{ label: t("context"), value: contextText(turn.context) }]),
  ]
  return (
    <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-2">
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt className="text-muted text-xs">{label}</dt>
          <dd className="text-sm tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function contextText(context: NonNullable<InspectedTurn["turn"]["context"]>): string {
  return t("shareOf", { share: shareText(context), window: countText(context.window) })
}

function stepText({ number, usage, model }: InspectedStep, count: number): string {
  const given = { number, count, tokens: countText(usage.inputTokens) }
  return model === null ? t("stepOption", given) : t("stepOptionModel", { ...given, model })
}

type StepPickerProps = {
  readonly steps: readonly InspectedStep[]
  readonly chosen: number | undefined
  readonly onStep: (step: number) => void
}

function StepPicker({ steps, chosen, onStep }: StepPickerProps) {
  return (
    <label className="flex items-center gap-2 text-sm">
      <span className="text-muted">{t("step")}</span>
      <select
        value={chosen}
        onChange={(event) => onStep(Number(event.target.value))}
        className="rounded-lg border border-line-strong bg-raised px-2 py-1 pointer-coarse:min-h-10"
      >
        {steps.map((step) => (
          <option key={step.number} value={step.number}>
            {stepText(step, steps.length)}
          </option>
        ))}
      </select>
    </label>
  )
}
