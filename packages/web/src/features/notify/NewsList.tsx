import { BellRing, CircleAlert, MessageCircleQuestionMark } from "lucide-react"
import { t } from "../../texts/en/notify.ts"
import { Button } from "../../ui/Button.tsx"
import { Toast, Toasts } from "../../ui/Toast.tsx"
import type { NewsItem } from "./news.ts"

export type NewsListProps = {
  readonly shown: readonly NewsItem[]
  readonly onDismiss: (key: string) => void
  readonly isOffered: boolean
  /** The person's answer to the offer. */
  readonly onOffer: (wish: "on" | "off") => void
}

const looks = {
  asks: { icon: MessageCircleQuestionMark, tone: "warn" },
  failed: { icon: CircleAlert, tone: "bad" },
  done: { icon: BellRing, tone: "calm" },
} as const

/** Notifications about conversations that are not in front. */
export function NewsList({ shown, onDismiss, isOffered, onOffer }: NewsListProps) {
  return (
    <Toasts>
      {shown.map((item) => (
        <Toast
          key={item.key}
          {...looks[item.kind]}
          title={item.title}
          onDismiss={() => onDismiss(item.key)}
          actions={
            <a
              href={item.address}
              onClick={() => onDismiss(item.key)}
              className="rounded-md font-medium text-accent underline-offset-2 hover:underline pointer-coarse:py-2"
            >
              {t("open")}
            </a>
          }
        >
          {item.body}
        </Toast>
      ))}
      {isOffered && (
        <Toast
          icon={BellRing}
          tone="calm"
          title={t("turnOnDesktopNotifications")}
          onDismiss={() => onOffer("off")}
          actions={
            <>
              <Button look="main" onClick={() => onOffer("on")}>
                {t("turnOn")}
              </Button>
              <Button onClick={() => onOffer("off")}>{t("noThanks")}</Button>
            </>
          }
        >
          {t("anAgentWasWaitingFor")}
        </Toast>
      )}
    </Toasts>
  )
}
