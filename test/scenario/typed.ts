/** What a composer sends for a text: a node for each slash command in it. */
export function typed(source: string) {
  const nodes = [...source.matchAll(/(?<=^|\s)\/([a-z0-9:_-]+)(?=\s|$)/g)].map((match) => ({
    kind: "slash_command",
    start: match.index,
    end: match.index + match[0].length,
    raw: match[0],
    name: match[1] ?? "",
  }))
  return { source, nodes }
}
