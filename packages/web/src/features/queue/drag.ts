/** Dragging a queued message. Pure. */
export const QUEUE_DRAG = "application/x-parlor-queue"

export type Spot = "before" | "after"

/** On which side of a row the pointer is. */
export function spotAt(pointerY: number, row: { readonly top: number; readonly height: number }): Spot {
  return pointerY < row.top + row.height / 2 ? "before" : "after"
}

/** Where a message goes when it is dropped there; undefined when it is there already. */
export function dropPlace(
  moved: string,
  at: { readonly id: string; readonly spot: Spot },
  order: readonly string[],
): { readonly before: string } | { readonly after: string } | undefined {
  if (moved === at.id) return undefined
  const neighbor = order[order.indexOf(at.id) + (at.spot === "before" ? -1 : 1)]
  if (neighbor === moved || !order.includes(moved) || !order.includes(at.id)) return undefined
  return at.spot === "before" ? { before: at.id } : { after: at.id }
}
