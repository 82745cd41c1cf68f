import type { SendBody } from "@parlor/protocol"
import type { SendOptions } from "./commands.ts"

/** The body of a send, with its options applied. */
export function withOptions(body: SendBody, { mode, position, guests, editedFrom }: SendOptions): SendBody {
  return {
    ...body,
    ...(mode === undefined ? {} : { mode }),
    ...(position === undefined ? {} : { position }),
    ...(guests === undefined ? {} : { guests: [...guests] }),
    ...(editedFrom === undefined ? {} : { editedFrom }),
  }
}
