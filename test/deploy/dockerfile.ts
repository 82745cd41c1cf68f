/** Reads a Dockerfile: its stages, each with its instructions. */
export type Instruction = { readonly name: string; readonly text: string }

export function dockerfile(source: string): readonly (readonly Instruction[])[] {
  const lines = source
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
  const stages: Instruction[][] = []
  for (const line of lines) {
    const [name = "", ...rest] = line.split(" ")
    if (name === "FROM") stages.push([])
    stages.at(-1)?.push({ name, text: rest.join(" ").trim() })
  }
  return stages
}
