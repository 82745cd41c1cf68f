import type { InspectedRequest } from "@parlor/protocol"
import { t } from "../../texts/en/inspector.ts"
import { Fold } from "../message/Fold.tsx"
import { LongText } from "./LongText.tsx"

/** The tools offered to the model in a step, with their input schemas. */
export function ToolsOffered({ request }: { readonly request: InspectedRequest | null }) {
  if (request === null) return <p className="text-muted text-sm">{t("toolsUnknown")}</p>
  if (request.tools.length === 0) return <p className="text-muted text-sm">{t("noTools")}</p>
  return (
    <ul aria-label={t("toolsOffered")} className="space-y-3">
      {request.tools.map(({ name, description, inputSchema }) => (
        <li key={name} className="rounded-xl border border-line bg-raised px-3 py-2">
          <code className="font-semibold text-sm">{name}</code>
          <p className="text-muted text-sm">{description}</p>
          <Fold id={`schema of ${name}`} title={t("inputSchema")}>
            <LongText text={JSON.stringify(inputSchema, null, 2)} label={t("schemaOf", { tool: name })} />
          </Fold>
        </li>
      ))}
    </ul>
  )
}
