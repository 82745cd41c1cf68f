import type { SendBody } from "@parlor/protocol"
import type { SendOptions } from "./commands.ts"

/** The body of a send, with its options applied. */
export function withOptions(body: SendBody, { mode, position, guest, guests, editedFrom }: SendOptions): SendBody {
  const named = guests ?? (guest === undefined ? undefined : [guest])
  const { guest: _, ...rest } = body
  return {
    ...(named === undefined ? body : rest),
    ...(mode === undefined ? {} : { mode }),
    ...(position === undefined ? {} : { position }),
    ...(named === undefined ? {} : { guests: [...named] }),
    ...(editedFrom === undefined ? {} : { editedFrom }),
  }
}
