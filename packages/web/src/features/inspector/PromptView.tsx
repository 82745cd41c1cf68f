import type { InspectedMessage, InspectedPrompt, InspectedRequest } from "@parlor/protocol"
import { unreachable } from "@parlor/protocol"
import { useState } from "react"
import { t } from "../../texts/en/inspector.ts"
import { rich } from "../../texts/rich.ts"
import { cx } from "../../ui/cx.ts"
import { Segments } from "../../ui/Segments.tsx"
import { LongText } from "./LongText.tsx"
import { rolesOf } from "./roles.ts"
import { promptText } from "./turnWords.ts"

/** The prompt, formatted or as raw JSON. */
export function PromptView({ prompt }: { readonly prompt: InspectedPrompt }) {
  const [look, setLook] = useState<"read" | "raw">("read")
  const { state, request } = prompt
  return (
    <section aria-label={t("prompt")}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p
          className={cx("text-sm", state === "exact" ? "text-muted" : state === "differs" ? "text-warn" : "text-muted")}
        >
          {promptText(state)}
        </p>
        {request !== null && (
          <Segments
            label={t("displayAs")}
            value={look}
            options={[
              { value: "read", label: t("formatted") },
              { value: "raw", label: t("rawJson") },
            ]}
            onChange={setLook}
          />
        )}
      </div>
      {request !== null && look === "raw" && (
        <div className="mt-3">
          <LongText text={JSON.stringify(request, null, 2)} label={t("requestAsJson")} />
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
        <h3 className="mb-1 font-semibold text-sm">{t("instructions")}</h3>
        {request.instructions === "" ? (
          <p className="text-muted text-sm">{t("none")}</p>
        ) : (
          <LongText text={request.instructions} label={t("theInstructions")} />
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
          <LongText text={message.text} label={t("thisMessage")} />
          {message.attachments?.map(({ name, mediaType, bytes }) => (
            <p key={name} className="mt-1 text-muted text-xs">
              {t("withAttachment", { name, mediaType, count: bytes })}
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
              <LongText key={index} text={part.text} label={t("thisPart")} />
            ) : part.type === "reasoning" ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order.
              <div key={index}>
                <p className="mb-1 text-muted text-xs">{t("reasoningReturned")}</p>
                <LongText text={part.text} label={t("thisReasoning")} />
              </div>
            ) : (
              <div key={part.call}>
                <p className="mb-1 text-muted text-xs">
                  {rich(t.pieces("calls", { tool: <code>{part.name}</code>, call: part.call }))}
                </p>
                <LongText text={JSON.stringify(part.input, null, 2)} label={t("inputOf", { tool: part.name })} />
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
                {rich(t.pieces(outcome === "failed" ? "toolFailed" : "toolDone", { tool: <code>{name}</code>, call }))}
              </p>
              <LongText
                text={typeof output === "string" ? output : JSON.stringify(output, null, 2)}
                label={t("outputOf", { tool: name })}
              />
            </div>
          ))}
        </div>
      )
    default:
      return unreachable(message)
  }
}
