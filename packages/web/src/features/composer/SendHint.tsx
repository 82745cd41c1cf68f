import { cx } from "../../ui/cx.ts"
import { type Outlook, sendWords, steerKey } from "./sendWords.ts"

export type SendHintProps = {
  readonly id: string
  readonly agent: string
  readonly outlook: Outlook
  readonly isEmpty: boolean
  readonly onSteer: () => void
}

/** What Enter will do, and the other thing one could do instead (TAB-9). */
export function SendHint({ id, agent, outlook, isEmpty, onSteer }: SendHintProps) {
  const isPlain = outlook.kind === "start" && !outlook.releases
  return (
    <p className={cx("mt-1.5 px-1 text-center text-muted text-xs", isPlain && "pointer-coarse:hidden")}>
      <span id={id}>{sendWords(agent, outlook, isEmpty)}</span>
      {outlook.kind === "queue" && outlook.canSteer && !isEmpty && (
        <>
          {" · "}
          <button type="button" onClick={onSteer} className="rounded-sm text-accent hover:underline">
            <span className="pointer-coarse:hidden">{steerKey(navigator.platform)} lets it join the answer</span>
            <span className="pointer-fine:hidden">Let it join the answer</span>
          </button>
        </>
      )}
    </p>
  )
}
