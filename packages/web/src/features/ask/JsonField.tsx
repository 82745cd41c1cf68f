import { t } from "../../texts/en/ask.ts"
import { Summary } from "../../ui/Summary.tsx"
import { readable } from "../message/messageView.ts"
import type { Json } from "./askView.ts"

export type JsonFieldProps = {
  readonly schema: Json
  readonly text: string
  readonly onEnter: (text: string) => void
}

/** For a form whose schema has no matching fields: the answer as JSON, with the schema shown. */
export function JsonField({ schema, text, onEnter }: JsonFieldProps) {
  return (
    <div className="space-y-2">
      {schema !== null && (
        <details className="group text-sm">
          <Summary>{t("expectedFormat")}</Summary>
          <pre className="mt-1 max-h-48 overflow-auto rounded-lg bg-sunken px-3 py-2 font-mono text-xs">
            {readable(schema)}
          </pre>
        </details>
      )}
      <textarea
        rows={5}
        value={text}
        spellCheck={false}
        onChange={(event) => onEnter(event.target.value)}
        aria-label={t("answerAsJson")}
        className="w-full rounded-lg border border-line-strong bg-raised px-3 py-2 font-mono text-[0.8125rem]"
      />
    </div>
  )
}
