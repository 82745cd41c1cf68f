/** The width of text on a terminal. Pure. */

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** Grapheme clusters: what a person sees as one character. */
export function graphemes(text: string): readonly string[] {
  if (ASCII.test(text)) return [...text]
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Styles take no room. */
export function columnsOf(styled: string): number {
  if (ASCII.test(styled)) return styled.length
  const text = styled.includes(ESC) ? styled.replace(STYLES, "") : styled
  return graphemes(text).reduce((sum, grapheme) => sum + widthOf(grapheme), 0)
}

/** Truncates text to the width, with a mark if something was cut. */
export function clip(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text
  let kept = ""
  let used = 0
  for (const grapheme of graphemes(text)) {
    used += widthOf(grapheme)
    if (used > columns - 1) break
    kept += grapheme
  }
  return `${kept}…`
}

const ESC = "\u001b"
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are control sequences.
const STYLES = /\u001b\[[\d;]*m/g
const ASCII = /^[ -~]*$/
const NO_WIDTH = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u
const EMOJI = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f/u
// East Asian wide and full-width letters.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u

function widthOf(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0
  return EMOJI.test(grapheme) || WIDE.test(grapheme) ? 2 : 1
}
