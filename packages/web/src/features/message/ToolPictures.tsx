import type { ToolPart } from "@parlor/protocol"
import { useContext, useMemo } from "react"
import { t } from "../../texts/en/message.ts"
import { AttachmentView } from "./AttachmentView.tsx"
import { ReadingContext } from "./reading.ts"

type Pictures = NonNullable<ToolPart["pictures"]>

export type ToolPicturesProps = {
  readonly message: string
  readonly part: Pick<ToolPart, "call" | "name">
  readonly pictures: Pictures
}

/** What a tool call returned to look at (MSG-21). */
export function ToolPictures({ message, part: { call, name }, pictures }: ToolPicturesProps) {
  return (
    <ul className="mt-1.5 space-y-1.5">
      {pictures.map((picture, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pictures of a finished call keep their order.
        <li key={index}>
          <ToolPicture
            message={message}
            call={call}
            index={index}
            picture={picture}
            name={t("pictureOf", { number: index + 1, tool: name })}
          />
        </li>
      ))}
    </ul>
  )
}

type ToolPictureProps = {
  readonly message: string
  readonly call: string
  readonly index: number
  readonly picture: Pictures[number]
  readonly name: string
}

function ToolPicture({ message, call, index, picture, name }: ToolPictureProps) {
  const conversation = useContext(ReadingContext)?.conversation
  const source = useMemo(
    () => conversation && { read: () => conversation.picture(message, call, index) },
    [conversation, message, call, index],
  )
  return (
    <AttachmentView
      part={{ type: "attachment", name, ...picture }}
      {...(source === undefined ? {} : { attachments: source })}
    />
  )
}
