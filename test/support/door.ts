/** Where the workers of a test run request what they share; the first request starts or installs it. */
declare module "vitest" {
  interface ProvidedContext {
    readonly testRunDoor: string
  }
}

export async function askDoor(door: string, thing: "node22" | "postgres"): Promise<string> {
  const response = await fetch(`${door}/${thing}`)
  const answer = await response.text()
  if (!response.ok) throw new Error(`${thing}: ${answer}`)
  return answer
}
