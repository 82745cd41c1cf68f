import { t } from "../../texts/en/message.ts"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { LazyMarkdown } from "../markdown/LazyMarkdown.tsx"
import { useFold } from "./useFold.ts"

/** A long text that a person pasted: its beginning, and the rest on request (MSG-14). */
export function LongText({ id, text }: { readonly id: string; readonly text: string }) {
  const { isOpen, set } = useFold(id)
  return (
    <div>
      <div className={cx("relative", !isOpen && "max-h-60 overflow-hidden mask-b-from-70%")}>
        <LazyMarkdown text={text} streaming={false} />
      </div>
      <Button className="mt-2" aria-expanded={isOpen} onClick={() => set(!isOpen)}>
        {isOpen ? t("showLess") : t("showMore")}
      </Button>
    </div>
  )
}
