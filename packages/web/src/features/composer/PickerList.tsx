import { argumentSign } from "@parlor/protocol"
import { FileText } from "lucide-react"
import { Fragment, useEffect, useRef } from "react"
import { t } from "../../texts/en/composer.ts"
import { cx } from "../../ui/cx.ts"
import { AgentFace } from "../agent/AgentFace.tsx"
import type { PickRow } from "./picking.ts"
import type { Picker } from "./usePicker.ts"

/** Suggestions for the caret. The focus stays in the box, which announces the selected row to screen readers. */
export function PickerList({ picker }: { readonly picker: Picker }) {
  const chosen = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row is the reason to look
  useEffect(() => {
    chosen.current?.scrollIntoView({ block: "nearest" })
  }, [picker.active?.id])
  const isEmpty = picker.groups.length === 0
  return (
    <div className="absolute inset-x-0 bottom-full z-20 mb-2 animate-arrive overflow-hidden rounded-xl border border-line bg-raised text-sm shadow-float">
      <div
        id={picker.list}
        role="listbox"
        aria-label={t("suggestions")}
        className="max-h-[min(20rem,40dvh)] overflow-y-auto p-1"
      >
        {picker.groups.map(({ title, rows }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of a listbox is no fieldset
          <div key={title} role="group" aria-label={title}>
            <p aria-hidden className="px-2.5 pt-1.5 pb-0.5 text-muted text-xs">
              {title}
            </p>
            {rows.map((row) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box (aria-activedescendant)
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box
              <div
                key={row.id}
                id={picker.rowId(row)}
                ref={row.id === picker.active?.id ? chosen : null}
                role="option"
                aria-selected={row.id === picker.active?.id}
                onMouseMove={() => row.id === picker.active?.id || picker.choose(row)}
                // Pressing must not take the focus out of the box.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => picker.pick(row)}
                className={cx(
                  "flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-1.5 pointer-coarse:py-2.5",
                  row.id === picker.active?.id && "bg-tint",
                )}
              >
                <RowView row={row} />
              </div>
            ))}
          </div>
        ))}
      </div>
      <p role="status" className={cx(isEmpty ? "px-3.5 pb-2.5 text-muted" : "sr-only")}>
        {picker.words}
      </p>
    </div>
  )
}

function RowView({ row }: { readonly row: PickRow }) {
  if (row.kind === "file") {
    const at = row.path.lastIndexOf("/") + 1
    return (
      <>
        <FileText aria-hidden className="mx-0.5 size-4 shrink-0 text-muted" />
        <span className="truncate font-mono text-[0.92em]">
          <span className="text-muted">{row.path.slice(0, at)}</span>
          {row.path.slice(at)}
        </span>
      </>
    )
  }
  if (row.kind === "agent")
    return (
      <>
        <AgentFace name={row.agent.name} small />
        <span className="shrink-0 font-medium">{row.agent.name}</span>
        <span className="truncate text-muted">{row.agent.description}</span>
      </>
    )
  const { name, description, arguments: taken, argumentHint } = row.command
  return (
    <>
      <span className="min-w-0 shrink-0 font-medium font-mono text-[0.92em]">
        <span className="text-muted">/</span>
        {name}
        {taken.map((argument) => (
          <Fragment key={argument.name}>
            {" "}
            <span className="font-normal text-muted">{argumentSign(argument)}</span>
          </Fragment>
        ))}
        {taken.length === 0 && argumentHint && <span className="font-normal text-muted"> {argumentHint}</span>}
      </span>
      <span className="truncate text-muted">{description}</span>
    </>
  )
}
