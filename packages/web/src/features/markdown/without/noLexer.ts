/** Replaces `marked`, which streamdown uses to split text into blocks: the page does this itself, in ../pieces.ts. */
export const Lexer = {
  lex(): never {
    throw new Error("pieces.ts must split the text.")
  },
}
