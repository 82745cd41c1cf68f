/**
 * Makes secrets unreadable before they reach the store (SEC-29). Whoever has a copy of the database, and not the key, has
 * none of them.
 *
 * `about` names the place a secret is stored in: a value that was moved to another place does not open there.
 */
export interface Seal {
  seal(secret: string, about: string): string
  /** Undefined when the key that sealed it is not here, or it was sealed for another place. Unsealed values are from before. */
  open(value: string, about: string): string | undefined
  /** Whether the key in use sealed it. Anything else is to be sealed anew. */
  isCurrent(value: string): boolean
}

/** Which key seals the secrets of a store: the same for every process that shares it. */
export interface SecretKeys {
  /** The id of that key; undefined before the first one. */
  secretKey(): Promise<string | undefined>
  /** False, and nothing changed, unless `before` is what is there. */
  setSecretKey(id: string, before: string | undefined): Promise<boolean>
}
