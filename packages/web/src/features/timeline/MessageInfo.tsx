import type { MessageRow } from "@parlor/protocol"
import { Info } from "lucide-react"
import { useContext } from "react"
import { t } from "../../texts/en/timeline.ts"
import { momentText } from "../../texts/format.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { Popover } from "../../ui/Popover.tsx"
import { inspectAddress } from "../inspector/address.ts"
import { usageFigures } from "../inspector/figures.ts"
import { ReadingContext } from "../message/reading.ts"

/** Details of a reply: tokens, cost and time, with a link to its turn in the inspector. */
export function MessageInfo({ message }: { readonly message: MessageRow }) {
  const conversation = useContext(ReadingContext)?.conversation
  if (message.usage === null) return null
  return (
    <Popover
      label={t("messageDetails")}
      align="start"
      className="w-60"
      trigger={
        <IconButton label={t("messageDetails")}>
          <Info aria-hidden className="size-3.5" />
        </IconButton>
      }
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <Figure label={t("sent")} value={momentText(message.at)} />
        {usageFigures(message.usage).map(({ label, value }) => (
          <Figure key={label} label={label} value={value} />
        ))}
      </dl>
      {conversation && (
        <a
          href={inspectAddress(conversation.agent, conversation.branch, message.turn ?? undefined)}
          className="mt-2.5 inline-block text-accent underline underline-offset-2"
        >
          {t("viewDetails")}
        </a>
      )}
    </Popover>
  )
}

function Figure({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="text-right tabular-nums">{value}</dd>
    </>
  )
}
