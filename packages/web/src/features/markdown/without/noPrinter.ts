/** Stands in for `mdast-util-to-markdown`: the page reads markdown and writes none. */
const unused = (): never => {
  throw new Error("The page writes no markdown.")
}

export const defaultHandlers = { inlineCode: unused, listItem: unused, paragraph: unused }
