import { AgentFace } from "../agent/AgentFace.tsx"

export function AuthorLine({ name }: { readonly name: string }) {
  return (
    <header className="mb-1.5 flex items-center gap-2 text-sm">
      <AgentFace name={name} small />
      <span className="font-semibold">{name}</span>
    </header>
  )
}
