import type { AskRow, ToolPart } from "@parlor/protocol"
import { readable } from "../message/messageView.ts"

/** What it is about. An approval shows the tool's input, because that is what is being allowed. */
export function AskDetail({ ask, tool }: { readonly ask: AskRow; readonly tool: ToolPart | undefined }) {
  if (ask.kind === "approval" && tool !== undefined)
    return (
      <div className="mt-2.5 overflow-hidden rounded-lg border border-line bg-sunken text-sm">
        <p className="border-line border-b px-3 py-1.5 font-medium font-mono text-[0.8125rem]">{tool.name}</p>
        <pre className="max-h-60 overflow-auto whitespace-pre-wrap break-words px-3 py-2 font-mono text-[0.8125rem] leading-5">
          {readable(tool.input)}
        </pre>
      </div>
    )
  if (ask.detail === "") return null
  return <p className="mt-1.5 whitespace-pre-wrap break-words text-muted text-sm">{ask.detail}</p>
}
