/**
 * Encrypts secrets before they reach the store (SEC-29). A copy of the database without the key reveals none of them.
 *
 * `about` names where a secret is stored: a value that was moved elsewhere cannot be decrypted there.
 */
export interface Seal {
  seal(secret: string, about: string): string
  /**
   * Undefined if the key that sealed it is missing, or if it was sealed for another place. Unsealed values predate
   * encryption.
   */
  open(value: string, about: string): string | undefined
  /** Whether the current key sealed it. Anything else should be sealed again. */
  isCurrent(value: string): boolean
}

/** Which key seals the secrets of a store: the same for every process that shares it. */
export interface SecretKeys {
  /** The id of that key; undefined before the first one. */
  secretKey(): Promise<string | undefined>
  /** False, and nothing changed, unless `before` is the current id. */
  setSecretKey(id: string, before: string | undefined): Promise<boolean>
}
