import type { Node } from "../node.ts"

export async function fireDue(_node: Node): Promise<number | undefined> {
  return undefined
}
