import { t } from "../../texts/en/composer.ts"
import { cx } from "../../ui/cx.ts"
import { type Outlook, otherKey, otherWords, type Plan, sendWords } from "./sendWords.ts"

export type SendHintProps = {
  readonly id: string
  readonly agent: string
  readonly outlook: Outlook
  readonly plan: Plan
  readonly isEmpty: boolean
  /** There is a queued message the arrow key would open. */
  readonly canEditLast: boolean
  readonly onOther: () => void
}

/** What Enter will do, and the alternatives (TAB-9). */
export function SendHint({ id, agent, outlook, plan, isEmpty, canEditLast, onOther }: SendHintProps) {
  const isPlain = outlook.kind === "start" && !outlook.releases
  const other = otherWords(plan)
  return (
    <p className={cx("min-w-0 text-center text-muted text-xs", isPlain && "pointer-coarse:hidden")}>
      <span id={id}>{sendWords(agent, outlook, plan, isEmpty)}</span>
      {other !== undefined && !isEmpty && (
        <>
          {" · "}
          <button type="button" onClick={onOther} className="rounded-sm text-accent hover:underline">
            <span className="pointer-coarse:hidden">
              {otherKey(globalThis.navigator?.platform ?? "")} {other}
            </span>
            <span className="pointer-fine:hidden">
              {plan.other === "steer" ? t("addToCurrentReply") : t("queueIt")}
            </span>
          </button>
        </>
      )}
      {isEmpty && <span className="pointer-coarse:hidden">{emptyWords(isPlain, canEditLast)}</span>}
    </p>
  )
}

function emptyWords(isPlain: boolean, canEditLast: boolean): string {
  return [isPlain && t("forCommandsAndAgents"), canEditLast && t("toEditTheLastQueued")]
    .filter((words) => words !== false)
    .map((words) => ` · ${words}`)
    .join("")
}
