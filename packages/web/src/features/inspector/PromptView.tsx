import type { InspectedMessage, InspectedPrompt, InspectedRequest } from "@parlor/protocol"
import { unreachable } from "@parlor/protocol"
import { useState } from "react"
import { cx } from "../../ui/cx.ts"
import { Segments } from "../../ui/Segments.tsx"
import { promptText } from "./figures.ts"
import { LongText } from "./LongText.tsx"
import { rolesOf } from "./roles.ts"

/** The prompt, formatted or as raw JSON. */
export function PromptView({ prompt }: { readonly prompt: InspectedPrompt }) {
  const [look, setLook] = useState<"read" | "raw">("read")
  const { state, request } = prompt
  return (
    <section aria-label="Prompt">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p
          className={cx("text-sm", state === "exact" ? "text-muted" : state === "differs" ? "text-warn" : "text-muted")}
        >
          {promptText(state)}
        </p>
        {request !== null && (
          <Segments
            label="Display as"
            value={look}
            options={[
              { value: "read", label: "Formatted" },
              { value: "raw", label: "Raw JSON" },
            ]}
            onChange={setLook}
          />
        )}
      </div>
      {request !== null && look === "raw" && (
        <div className="mt-3">
          <LongText text={JSON.stringify(request, null, 2)} label="the request as JSON" />
        </div>
      )}
      {request !== null && look === "read" && <ReadPrompt request={request} />}
    </section>
  )
}

function ReadPrompt({ request }: { readonly request: InspectedRequest }) {
  return (
    <ol className="mt-3 space-y-4">
      <li>
        <h3 className="mb-1 font-semibold text-sm">Instructions</h3>
        {request.instructions === "" ? (
          <p className="text-muted text-sm">None.</p>
        ) : (
          <LongText text={request.instructions} label="the instructions" />
        )}
      </li>
      {rolesOf(request.messages).map(({ message, title }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a prompt that was sent does not change its order.
        <li key={index}>
          <h3 className="mb-1 font-semibold text-sm">{title}</h3>
          <Said message={message} />
        </li>
      ))}
    </ol>
  )
}

function Said({ message }: { readonly message: InspectedMessage }) {
  switch (message.role) {
    case "person":
      return (
        <>
          <LongText text={message.text} label="this message" />
          {message.attachments?.map(({ name, mediaType, bytes }) => (
            <p key={name} className="mt-1 text-muted text-xs">
              With {name}, {mediaType}, {bytes.toLocaleString("en-US")} bytes
            </p>
          ))}
        </>
      )
    case "agent":
      return (
        <div className="space-y-2">
          {message.parts.map((part, index) =>
            part.type === "text" ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order.
              <LongText key={index} text={part.text} label="this part" />
            ) : part.type === "reasoning" ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order.
              <div key={index}>
                <p className="mb-1 text-muted text-xs">its reasoning, returned to the model</p>
                <LongText text={part.text} label="this reasoning" />
              </div>
            ) : (
              <div key={part.call}>
                <p className="mb-1 text-muted text-xs">
                  calls <code>{part.name}</code> ({part.call})
                </p>
                <LongText text={JSON.stringify(part.input, null, 2)} label={`the input of ${part.name}`} />
              </div>
            ),
          )}
        </div>
      )
    case "tools":
      return (
        <div className="space-y-2">
          {message.results.map(({ call, name, outcome, output }) => (
            <div key={call}>
              <p className={cx("mb-1 text-xs", outcome === "failed" ? "text-bad" : "text-muted")}>
                <code>{name}</code> {outcome} ({call})
              </p>
              <LongText
                text={typeof output === "string" ? output : JSON.stringify(output, null, 2)}
                label={`the output of ${name}`}
              />
            </div>
          ))}
        </div>
      )
    default:
      return unreachable(message)
  }
}
