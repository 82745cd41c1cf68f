/** What is needed for web push. */
import type { LogAccess } from "../log/log-access.ts"
import type { PushSender } from "../ports/pushes.ts"
import type { Seal } from "../ports/seal.ts"

/** Without a sender and a seal, nothing is pushed. */
export type PushAccess = LogAccess & { readonly seal?: Seal; readonly pushSender?: PushSender }

export type PushParts = { readonly seal: Seal; readonly sender: PushSender }

export function partsOf({ seal, pushSender: sender }: PushAccess): PushParts | undefined {
  return seal === undefined || sender === undefined ? undefined : { seal, sender }
}
