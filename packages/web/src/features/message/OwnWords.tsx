import { t } from "../../texts/en/message.ts"
import { LazyMarkdown } from "../markdown/LazyMarkdown.tsx"

/** An unsent message: shown at once, dimmed until the server has it. */
export function OwnWords({ text }: { readonly text: string }) {
  return (
    <article aria-label={t("youSending")} className="mt-4 flex animate-arrive flex-col items-end">
      <div className="mine max-w-[85%] rounded-2xl rounded-br-md bg-tint px-4 py-2">
        <LazyMarkdown text={text} streaming={false} />
      </div>
      <p className="mt-1 animate-late text-muted text-xs">{t("notDeliveredYetStillTrying")}</p>
    </article>
  )
}
