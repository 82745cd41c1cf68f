import { renderToStaticMarkup } from "react-dom/server"
import { SendHint } from "./SendHint.tsx"
import { type Outlook, planOf } from "./sendWords.ts"

export type Hinted = {
  readonly outlook: Outlook
  readonly isEmpty: boolean
  readonly canEditLast?: boolean
  readonly mode?: "queue" | "steer"
}

/** The hint below the box, drawn for tests. */
export function drawnHint({ outlook, isEmpty, canEditLast = false, mode = "queue" }: Hinted): string {
  const plan = planOf(outlook, mode)
  const given = { id: "h", agent: "host", outlook, plan, isEmpty, canEditLast }
  return renderToStaticMarkup(<SendHint {...given} onOther={() => undefined} />)
}
