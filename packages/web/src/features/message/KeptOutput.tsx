import { useContext, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/message.ts"
import { Button } from "../../ui/Button.tsx"
import { noteOf, problemWords } from "../status/problemWords.ts"
import type { Kept } from "./messageView.ts"
import { ReadingContext } from "./reading.ts"
import { ToolField } from "./ToolField.tsx"

export type KeptOutputProps = { readonly message: string; readonly call: string; readonly kept: Kept }

/** The beginning of a long output, and all of it on request (TRN-11). */
export function KeptOutput({ message, call, kept }: KeptOutputProps) {
  const reading = useContext(ReadingContext)
  const [whole, setWhole] = useState<string>()
  const [state, setState] = useState<"resting" | "loading" | { readonly problem: string }>("resting")
  const load = () => {
    if (reading === undefined) return
    setState("loading")
    reading.conversation.output(message, call).then(
      (text) => {
        setWhole(text)
        setState("resting")
      },
      (error: unknown) => setState({ problem: problemWords(noteOf(error)).title }),
    )
  }
  return (
    <div>
      <ToolField name={whole === undefined ? t("outputBeginning") : t("output")} value={whole ?? kept.beginning} />
      {whole === undefined && reading !== undefined && (
        <p className="mt-2 flex flex-wrap items-center gap-2">
          <Button onClick={load} disabled={state === "loading"}>
            {state === "loading"
              ? common("loading")
              : t("showAllCharactersCharacters", { characters: kept.characters })}
          </Button>
          {typeof state === "object" && (
            <span role="alert" className="text-bad">
              {state.problem}
            </span>
          )}
        </p>
      )}
    </div>
  )
}
