import { ParlorError } from "./error.ts"

/** The path of a route: `:name` is one segment, `:name*` the rest of the path. Names are percent-encoded. */
export function pathTo(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path
    .split("/")
    .map((step) => {
      if (!step.startsWith(":")) return step
      if (step.endsWith("*")) return (params[step.slice(1, -1)] ?? "").split("/").map(encodeStep).join("/")
      return encodeStep(params[step.slice(1)] ?? "")
    })
    .join("/")
}

/** `fetch` resolves a `..` segment, so the request would go to another route. */
function encodeStep(step: string): string {
  if (step === "" || step === "." || step === "..")
    throw new ParlorError("request.invalid", `${JSON.stringify(step)} cannot be part of a URL path.`, { status: 422 })
  return encodeURIComponent(step.toWellFormed())
}
