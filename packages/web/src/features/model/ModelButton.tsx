import type { Conversation, Parlor } from "@parlor/client"
import type { ModelSettings } from "@parlor/protocol"
import { ChevronDown, Sparkles } from "lucide-react"
import { lazy, Suspense, useState } from "react"
import { t } from "../../texts/en/model.ts"
import { Popover } from "../../ui/Popover.tsx"
import { registry } from "../keyboard/useShortcut.ts"
import { DEMO, shortName } from "./modelNames.ts"

const ModelPicker = lazy(() => import("./ModelPicker.tsx"))

export type ModelButtonProps = {
  readonly parlor: Parlor
  readonly conversation: Conversation
  /** The agent's default; undefined while it is loading. */
  readonly byDefault: string | undefined
  /** Those of the conversation; null if it chooses nothing. */
  readonly settings: ModelSettings | null
}

/** Which model answers here, and the way to another one (MOD-19). */
export function ModelButton({ parlor, conversation, byDefault, settings }: ModelButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const name = settings?.model ?? byDefault
  // Its line is reserved, so that nothing moves when the agents are known.
  if (name === undefined || name === "") return <span aria-hidden className="h-7 pointer-coarse:h-10" />
  if (name === DEMO && settings?.model === undefined)
    return (
      <button type="button" onClick={() => registry.run("models")} className={`${PILL} bg-warn-tint text-warn`}>
        <Sparkles aria-hidden className="size-3.5 shrink-0" />
        <span>{t("demoModel")}</span>
        <span aria-hidden>·</span>
        <span className="font-medium underline underline-offset-2">{t("connectARealOne")}</span>
      </button>
    )
  return (
    <Popover
      label={t("chooseAModel")}
      align="start"
      className="w-80 p-1.5"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          aria-label={t("modelInUse", { name })}
          className={`${PILL} text-muted hover:bg-line/60 hover:text-ink`}
        >
          <span className="truncate">{name === DEMO ? t("demoModel") : shortName(name)}</span>
          <ChevronDown aria-hidden className="size-3.5 shrink-0" />
        </button>
      }
    >
      <Suspense fallback={<div className="h-24" />}>
        <ModelPicker
          parlor={parlor}
          conversation={conversation}
          current={name}
          settings={settings}
          onDone={() => setOpen(false)}
        />
      </Suspense>
    </Popover>
  )
}

const PILL =
  "inline-flex h-7 min-w-0 max-w-full items-center gap-1.5 rounded-full px-2.5 text-xs pointer-coarse:h-10 pointer-coarse:min-w-10"
