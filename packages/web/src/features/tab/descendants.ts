/** The names of all descendants of a conversation, which are deleted with it (BRA-6). */

/** Beyond this limit the server's error names what is missing. */
const MOST = 200

/** `list` returns the direct branches of one branch. */
export async function allDescendants(
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
