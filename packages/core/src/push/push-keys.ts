/** The key pair that identifies the server to push services: made once for all that share the store, and sealed (APP-7). */
import { Fault } from "@parlor/protocol"
import type { PushKeys } from "../ports/pushes.ts"
import type { PushAccess, PushParts } from "./push-access.ts"

const TRIES = 5

/** Makes the first pair, and a new one if the key that sealed the pair is lost. */
export async function pushKeys({ store }: PushAccess, { seal, sender }: PushParts): Promise<PushKeys> {
  for (let tries = 0; tries < TRIES; tries++) {
    const stored = await store.pushes.keys()
    const privateKey = stored && seal.open(stored.secret, placeOf(stored.publicKey))
    if (stored !== undefined && privateKey !== undefined) return { publicKey: stored.publicKey, privateKey }
    const made = sender.makeKeys()
    const secret = seal.seal(made.privateKey, placeOf(made.publicKey))
    if (await store.pushes.setKeys({ publicKey: made.publicKey, secret }, stored?.publicKey)) return made
  }
  throw new Fault("The keys for web push could not be made.")
}

/** Seals the pair again if an earlier key sealed it. */
export async function resealPushKeys({
  store,
  seal,
}: PushAccess): Promise<{ readonly resealed: number; readonly unreadable: number }> {
  const stored = seal && (await store.pushes.keys())
  if (seal === undefined || stored === undefined || seal.isCurrent(stored.secret)) return { resealed: 0, unreadable: 0 }
  const { publicKey } = stored
  const privateKey = seal.open(stored.secret, placeOf(publicKey))
  if (privateKey === undefined) return { resealed: 0, unreadable: 1 }
  const secret = seal.seal(privateKey, placeOf(publicKey))
  return { resealed: (await store.pushes.setKeys({ publicKey, secret }, publicKey)) ? 1 : 0, unreadable: 0 }
}

function placeOf(publicKey: string): string {
  return `push ${publicKey}`
}
