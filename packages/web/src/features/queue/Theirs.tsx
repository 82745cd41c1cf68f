import { t } from "../../texts/en/queue.ts"
export type TheirsProps = { readonly text: string; readonly onTake: () => void }

/** Another window saved the message being edited here. */
export function Theirs({ text, onTake }: TheirsProps) {
  return (
    <p role="status" className="mt-2 rounded-md bg-warn-tint px-2.5 py-1.5 text-sm">
      <span className="text-warn">{t("changedInAnotherWindowIt")}</span> <span className="break-words">{text}</span>{" "}
      <button type="button" onClick={onTake} className="rounded-sm text-accent underline underline-offset-2">
        {t("useThisVersion")}
      </button>
    </p>
  )
}
