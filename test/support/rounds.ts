/** The number of rounds of random or repeated tests: few in `npm test`, many in `npm test -- --long`. */
export const isLong = process.env.PARLOR_LONG === "1"

export function rounds(options: { readonly usual: number; readonly long: number }): number {
  return isLong ? options.long : options.usual
}
