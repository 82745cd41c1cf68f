/**
 * Makes deltas that can each be stored and forwarded.
 *
 * A provider may split a surrogate pair between two deltas, and every later request with a NUL would be refused (SEC-5).
 * The first half of a pair waits for the next delta; a lone half and a NUL become the replacement character.
 */
export type Seam = { push(text: string): void; end(): void }

export function seam(emit: (text: string) => void): Seam {
  let half = ""
  return {
    push(text) {
      if (text === "") return
      if (half === "" && text.isWellFormed() && !text.includes("\u0000")) return emit(text)
      const joined = half + text
      half = endsInHalf(joined) ? joined.slice(-1) : ""
      const whole = half === "" ? joined : joined.slice(0, -1)
      if (whole !== "") emit(whole.toWellFormed().replaceAll("\u0000", "\ufffd"))
    },
    end() {
      if (half === "") return
      half = ""
      emit("\ufffd")
    },
  }
}

function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}
