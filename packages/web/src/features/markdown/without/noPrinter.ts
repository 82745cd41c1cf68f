/** Replaces `mdast-util-to-markdown`: the page only reads markdown. */
const unused = (): never => {
  throw new Error("The page does not write markdown.")
}

export const defaultHandlers = { inlineCode: unused, listItem: unused, paragraph: unused }
