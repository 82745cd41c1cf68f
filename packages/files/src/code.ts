/** What the system calls a failure: `ENOENT` and the like; empty when it is none of its own. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === "string" ? code : ""
}
