import { t } from "../../texts/en/message.ts"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { cx } from "../../ui/cx.ts"

export type ToolFieldProps = { readonly name: string; readonly value: string; readonly bad?: boolean }

/** A tool's input, output or error. */
export function ToolField({ name, value, bad }: ToolFieldProps) {
  return (
    <div>
      <div className="flex h-7 items-center justify-between">
        <p data-label className="text-muted text-xs">
          {name}
        </p>
        <CopyButton text={value} label={t("copyValue", { value: name.toLowerCase() })} />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must scroll from the keyboard
        tabIndex={0}
        className={cx(
          "max-h-72 overflow-auto whitespace-pre-wrap break-words font-mono text-[0.8125rem] leading-5",
          bad === true && "text-bad",
        )}
      >
        {value}
      </pre>
    </div>
  )
}
