import type { InspectedRequest } from "@parlor/protocol"
import { Fold } from "../message/Fold.tsx"
import { LongText } from "./LongText.tsx"

/** The tools a model was offered in a step, with what they take. */
export function ToolsOffered({ request }: { readonly request: InspectedRequest | null }) {
  if (request === null) return <p className="text-muted text-sm">The tools come with the prompt, which is not there.</p>
  if (request.tools.length === 0) return <p className="text-muted text-sm">The model was offered no tools.</p>
  return (
    <ul aria-label="Tools offered" className="space-y-3">
      {request.tools.map(({ name, description, inputSchema }) => (
        <li key={name} className="rounded-xl border border-line bg-raised px-3 py-2">
          <code className="font-semibold text-sm">{name}</code>
          <p className="text-muted text-sm">{description}</p>
          <Fold id={`schema of ${name}`} title="What it takes">
            <LongText text={JSON.stringify(inputSchema, null, 2)} label={`the schema of ${name}`} />
          </Fold>
        </li>
      ))}
    </ul>
  )
}
