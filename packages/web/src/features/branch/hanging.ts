/** The names of everything that hangs on a conversation, at whatever depth: what goes when it goes (BRA-6). */

/** More than that is left to the server, which names what is missing. */
const MOST = 200

/** `list` gives what hangs on one branch itself. */
export async function hangingAtAnyDepth(
  branch: string,
  list: (branch: string) => Promise<readonly { readonly branch: string }[]>,
): Promise<readonly string[]> {
  const found = new Set<string>()
  let level: readonly string[] = [branch]
  while (level.length > 0 && found.size < MOST) {
    const lists = await Promise.all(level.map(list))
    level = [...new Set(lists.flat().map((one) => one.branch))].filter((name) => !found.has(name))
    for (const name of level) found.add(name)
  }
  return [...found]
}
