/** The environment of a hosted agent: what its author passes, and nothing of the server's own (HST-14). Pure. */

/** Programs do not start without these; none of them is a secret. */
const PASSED = ["PATH", "LANG", "SystemRoot", "PATHEXT", "ComSpec"] as const
/** Marks every process that an agent starts, so that none of them outlives it. */
export const MARK = "PARLOR_HOSTED"

export type Folders = { readonly home: string; readonly temp: string }

export function environmentOf(
  server: Readonly<Record<string, string | undefined>>,
  given: Readonly<Record<string, string>>,
  { home, temp }: Folders,
  mark: string,
): Record<string, string> {
  const passed = PASSED.flatMap((name) => {
    const value = server[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(passed), HOME: home, TMPDIR: temp, ...given, [MARK]: mark }
}
