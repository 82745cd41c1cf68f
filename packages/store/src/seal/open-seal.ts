/**
 * The seal of a store: finds the keys of this process and checks that they match the store's (SEC-29).
 *
 *   store knows no key ──▶ ours is noted; without one, one is made
 *   store's key is our first ──▶ go on
 *   store's key is one of our later ones ──▶ rotation: ours is noted, the store's still opens what it sealed
 *   store's key is not here ──▶ refused, with what to do
 */
import { rmSync } from "node:fs"
import type { Seal, SecretKeys } from "@parlor/core"
import { addKeyToFile, parseKeys, readKeyFile, SecretKeyError } from "./key-file.ts"
import { createSeal, type SecretKey } from "./seal.ts"

export type SealOptions = {
  /** The keys themselves, from the environment. */
  readonly keys?: string | undefined
  /** The key file, used if no keys are given; created if it does not exist and the store has no key. */
  readonly file: string
  /** Continue without the store's key: what it sealed is lost. */
  readonly isLost?: boolean
}

export async function openSeal(store: SecretKeys, options: SealOptions): Promise<Seal> {
  const known = await store.secretKey()
  const given = options.keys === undefined ? readKeyFile(options.file) : parseKeys(options.keys, "PARLOR_SECRET_KEY")
  const [first, ...others] = given
  if (first === undefined) {
    if (known !== undefined && !options.isLost) throw missing(known, undefined, options.file)
    return made(store, known, options)
  }
  if (known !== first.id) {
    const isOurs = known === undefined || options.isLost === true || others.some(({ id }) => id === known)
    if (!isOurs) throw missing(known, first.id, options.file)
    if (!(await store.setSecretKey(first.id, known))) return openSeal(store, options)
  }
  return createSeal([first, ...others])
}

async function made(store: SecretKeys, known: string | undefined, { file }: SealOptions): Promise<Seal> {
  const key: SecretKey = addKeyToFile(file)
  if (await store.setSecretKey(key.id, known)) return createSeal([key])
  // Another process that started at the same moment was first.
  rmSync(file, { force: true })
  throw missing((await store.secretKey()) ?? "", undefined, file)
}

function missing(known: string, ours: string | undefined, file: string): SecretKeyError {
  const have = ours === undefined ? "this server has no key" : `this server has the key ${ours}`
  return new SecretKeyError(
    `Secrets in this database are sealed with the key ${known}, and ${have}. Every server of a database needs the same key: ` +
      `copy it from a server that has it, or from your backup, to ${file}, or set it with PARLOR_SECRET_KEY or ` +
      "PARLOR_SECRET_KEY_FILE. " +
      "If it is lost, start once with PARLOR_SECRET_KEY_LOST=1: webhooks then need new secrets.",
  )
}
