/** The system's error code, such as `ENOENT`; empty if the error has none. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === "string" ? code : ""
}
