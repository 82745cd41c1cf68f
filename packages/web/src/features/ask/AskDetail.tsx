import type { AskRow, ToolPart } from "@parlor/protocol"
import { t } from "../../texts/en/ask.ts"
import { cx } from "../../ui/cx.ts"
import { type InputBlock, type InputLine, inputBlocks } from "./askInput.ts"

/** The details of an ask. An approval shows the tool's input, because that is what is being allowed. */
export function AskDetail({ ask, tool }: { readonly ask: AskRow; readonly tool: ToolPart | undefined }) {
  if (ask.kind === "approval" && tool !== undefined)
    return (
      <div className="mt-2.5 overflow-hidden rounded-lg border border-line bg-sunken text-sm">
        <p className="border-line border-b px-3 py-1.5 font-medium font-mono text-[0.8125rem]">{tool.name}</p>
        <section
          aria-label={t("whatThisWillDo")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
          tabIndex={0}
          className="max-h-72 space-y-1.5 overflow-auto px-3 py-2"
        >
          {inputBlocks(tool.input).map((block) => (
            <Block key={block.name} block={block} />
          ))}
        </section>
      </div>
    )
  if (ask.detail === "") return null
  return <p className="mt-1.5 whitespace-pre-wrap break-words text-muted text-sm">{ask.detail}</p>
}

function Block({ block }: { readonly block: InputBlock }) {
  const name = block.name !== "" && <span className="shrink-0 text-muted">{block.name}</span>
  if (block.kind === "value")
    return (
      <div className={cx("gap-2 text-[0.8125rem] leading-5", block.text.includes("\n") ? "block" : "flex")}>
        {name} <code className="whitespace-pre-wrap break-words font-mono">{block.text}</code>
      </div>
    )
  return (
    <div className="text-[0.8125rem] leading-5">
      {name}
      <pre className="mt-0.5 rounded-md border border-line bg-raised py-1 font-mono text-xs leading-5">
        {block.lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity except their index.
          <span key={index} className={cx("block whitespace-pre-wrap break-words px-2", looks[line.sign])}>
            {`${line.sign} ${line.text}`}
          </span>
        ))}
      </pre>
    </div>
  )
}

const looks: Readonly<Record<InputLine["sign"], string>> = {
  "+": "bg-tint text-accent",
  "-": "bg-bad-tint text-bad",
  "…": "text-muted",
}
