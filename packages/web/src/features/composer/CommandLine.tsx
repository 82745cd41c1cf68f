import { argumentSign } from "@parlor/protocol"
import { t } from "../../texts/en/composer.ts"
import { cx } from "../../ui/cx.ts"
import { type CommandHint, wantsWords } from "./commandHints.ts"

export type CommandLineProps = {
  readonly hints: readonly CommandHint[]
  /** Enter was pressed although an argument is missing: warns once, sends the second time. */
  readonly isAsked: boolean
}

/** The arguments of the last command in the box, with the next one highlighted. */
export function CommandLine({ hints, isAsked }: CommandLineProps) {
  const hint = hints.at(-1)
  if (hint === undefined) return null
  const wants = wantsWords(hints)
  return (
    <div className="mb-1.5 animate-arrive rounded-xl bg-sunken px-3.5 py-1.5 text-muted text-sm">
      <p className="flex flex-wrap gap-x-2">
        <span className="font-mono text-ink">/{hint.name}</span>
        {hint.arguments.map(({ argument, state }) => (
          <span
            key={argument.name}
            className={cx(
              "font-mono",
              state === "given" && "line-through opacity-60",
              state === "unfit" && "text-warn",
              argument === hint.next && "text-accent",
            )}
          >
            {argumentSign(argument)}
          </span>
        ))}
        {hint.next !== undefined && hint.next.description !== "" && <span>{hint.next.description}</span>}
      </p>
      {wants !== undefined && (
        <p role={isAsked ? "alert" : undefined} className={cx(isAsked && "text-warn")}>
          {wants}.{isAsked && ` ${t("pressEnterAgainToSend")}`}
        </p>
      )}
    </div>
  )
}
