/** Replaces `rehype-raw`: the page shows tags as text (see ../rawAsText.ts) and needs no HTML parser. */
export default function noHtmlParser(): undefined {
  return undefined
}
