import { ArrowDown } from "lucide-react"
import { t } from "../../texts/en/timeline.ts"
import { Button } from "../../ui/Button.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import { keysFor } from "../keyboard/useShortcut.ts"

/** Jumps to the newest message, and shows how many arrived. */
export function JumpButton({ news, onJump }: { readonly news: number; readonly onJump: () => void }) {
  const arrow = <ArrowDown aria-hidden className="size-4" />
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-4 flex animate-arrive justify-center">
      {news === 0 ? (
        <IconButton
          label={t("jumpToNewest")}
          keys={keysFor("newest")}
          look="floating"
          onClick={onJump}
          className="pointer-events-auto"
        >
          {arrow}
        </IconButton>
      ) : (
        <Button
          look="pill"
          aria-label={t("jumpToNewestNew", { new: newWords(news) })}
          onClick={onJump}
          className="pointer-events-auto h-9 shadow-float"
        >
          {arrow}
          {newWords(news)}
        </Button>
      )}
    </div>
  )
}

function newWords(news: number): string {
  return t("newMessages", { count: news })
}
