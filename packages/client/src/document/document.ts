/** A conversation as a document for people, made from its export. */
export { type HtmlOptions, htmlDocument } from "./html-document.ts"
export { markdownDocument } from "./markdown-document.ts"
export type { DocumentWords } from "./words.ts"
