import { t } from "../../texts/en/keyboard.ts"
import { registry } from "./useShortcut.ts"

/** The first Tab stop: skips the sidebar and goes to the conversation. */
export function SkipLink() {
  const skip = () => {
    const main = document.querySelector("main")
    if (document.querySelector("main form[aria-label='Write a message']") !== null) registry.run("write")
    else main?.querySelector<HTMLElement>("a[href], button, input, textarea, [tabindex='0']")?.focus()
  }
  return (
    <button
      type="button"
      onClick={skip}
      className="sr-only focus-visible:not-sr-only focus-visible:fixed focus-visible:top-2 focus-visible:left-2 focus-visible:z-50 focus-visible:rounded-lg focus-visible:bg-raised focus-visible:px-4 focus-visible:py-2 focus-visible:shadow-float"
    >
      {t("skipToConversation")}
    </button>
  )
}
