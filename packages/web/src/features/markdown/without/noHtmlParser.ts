/** Stands in for `rehype-raw`: the page shows tags as text (see ../rawAsText.ts), so no HTML parser is shipped with it. */
export default function noHtmlParser(): undefined {
  return undefined
}
