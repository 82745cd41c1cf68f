import type { InspectedRequest } from "@parlor/protocol"
import { Fold } from "../message/Fold.tsx"
import { LongText } from "./LongText.tsx"

/** The tools offered to the model in a step, with their input schemas. */
export function ToolsOffered({ request }: { readonly request: InspectedRequest | null }) {
  if (request === null)
    return <p className="text-muted text-sm">Tools are listed with the prompt, which is not available.</p>
  if (request.tools.length === 0) return <p className="text-muted text-sm">No tools were offered to the model.</p>
  return (
    <ul aria-label="Tools offered" className="space-y-3">
      {request.tools.map(({ name, description, inputSchema }) => (
        <li key={name} className="rounded-xl border border-line bg-raised px-3 py-2">
          <code className="font-semibold text-sm">{name}</code>
          <p className="text-muted text-sm">{description}</p>
          <Fold id={`schema of ${name}`} title="Input schema">
            <LongText text={JSON.stringify(inputSchema, null, 2)} label={`the schema of ${name}`} />
          </Fold>
        </li>
      ))}
    </ul>
  )
}
