import type { ToolPart } from "@parlor/protocol"
import { Ban, ChevronRight, CircleAlert, CircleCheck, CircleHelp, Hourglass, LoaderCircle } from "lucide-react"
import { memo, useContext } from "react"
import { t } from "../../texts/en/message.ts"
import { cx } from "../../ui/cx.ts"
import { Diff } from "../files/Diff.tsx"
import { askedWords } from "./askedWords.ts"
import { fileCall } from "./fileCall.ts"
import { KeptOutput } from "./KeptOutput.tsx"
import { glimpse, isDenied, keptOf, readable, toolWords } from "./messageView.ts"
import { Running } from "./Running.tsx"
import { AskedContext } from "./reading.ts"
import { ToolField } from "./ToolField.tsx"
import { ToolPictures } from "./ToolPictures.tsx"
import { toolTitle } from "./toolTitle.ts"
import { useFold } from "./useFold.ts"

const signs = {
  waiting: <Hourglass aria-hidden className="size-4 text-muted" />,
  started: <LoaderCircle aria-hidden className="size-4 animate-spin-slow text-accent" />,
  done: <CircleCheck aria-hidden className="size-4 text-accent" />,
  failed: <CircleAlert aria-hidden className="size-4 text-bad" />,
  unknown: <CircleHelp aria-hidden className="size-4 text-warn" />,
} as const

export type ToolCardProps = { readonly id: string; readonly message: string; readonly part: ToolPart }

/** A tool call: collapsed by default, with input and output on demand. */
export const ToolCard = memo(function ToolCard({ id, message, part }: ToolCardProps) {
  const { isOpen, onToggle } = useFold(id)
  const asked = useContext(AskedContext)
  const said = askedWords(part)
  const title = toolTitle(part)
  const denied = isDenied(part)
  const loud = (part.state === "failed" && !denied) || part.state === "unknown"
  if (asked.has(part.call)) return null
  const row = (
    <details
      open={isOpen}
      onToggle={onToggle}
      className="group/tool overflow-hidden rounded-lg border border-line bg-raised text-sm"
    >
      <summary className="flex items-center gap-2.5 px-3 py-2 hover:bg-sunken">
        {denied ? <Ban aria-hidden className="size-4 text-muted" /> : signs[part.state]}
        {said === undefined ? (
          <>
            <span
              data-words
              title={part.name}
              className={cx("max-w-[50%] shrink-0 truncate", title.isName && "font-medium font-mono text-[0.8125rem]")}
            >
              {title.text}
            </span>
            <span className="min-w-0 flex-1 truncate text-muted">
              {part.foreign?.title || (fileCall(part)?.words ?? glimpse(part.input))}
            </span>
            {part.state === "started" ? (
              <Running part={part} />
            ) : (
              <span className={cx("shrink-0 text-xs", loud ? "text-bad" : "text-muted")}>{toolWords(part)}</span>
            )}
          </>
        ) : (
          <span data-words className="min-w-0 flex-1">
            <span className="text-muted">{said.question}</span> {said.answer}
          </span>
        )}
        <ChevronRight
          aria-hidden
          className="size-3.5 shrink-0 text-muted transition-transform group-open/tool:rotate-90"
        />
      </summary>
      {isOpen && <ToolDetail message={message} part={part} />}
    </details>
  )
  if (part.pictures === undefined) return row
  return (
    <div>
      {row}
      <ToolPictures message={message} part={part} pictures={part.pictures} />
    </div>
  )
})

function ToolDetail({ message, part }: Omit<ToolCardProps, "id">) {
  const change = fileCall(part)
  const kept = keptOf(part)
  return (
    <div className="space-y-3 border-line border-t px-3 py-2.5">
      {change === undefined ? (
        <ToolField name={t("input")} value={readable(part.input)} />
      ) : (
        change.diffs.length > 0 && (
          <div>
            <p data-label className="text-muted text-xs">
              {t("changes")}
            </p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long change must scroll from the keyboard */}
            <div tabIndex={0} className="max-h-96 overflow-auto">
              {change.diffs.map((diff, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: changes are identified by index
                <Diff key={index} diff={diff} />
              ))}
            </div>
          </div>
        )
      )}
      {kept !== undefined ? (
        <KeptOutput message={message} call={part.call} kept={kept} />
      ) : (
        part.output !== null && <ToolField name={t("output")} value={readable(part.output)} />
      )}
      {part.error !== null &&
        (isDenied(part) ? (
          <p className="text-muted">{part.error.detail}</p>
        ) : (
          <ToolField name={t("error")} value={part.error.detail} bad />
        ))}
    </div>
  )
}
