/** How much a random or repeated test does: enough for every change in `npm test`, the long tail in `npm test -- --long`. */
export const isLong = process.env.PARLOR_LONG === "1"

export function rounds(options: { readonly usual: number; readonly long: number }): number {
  return isLong ? options.long : options.usual
}
