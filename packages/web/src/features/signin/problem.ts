/** Why somebody could not sign in. */
export type SignInProblemKind =
  /** They canceled it at the issuer, or are not allowed in. */
  | "denied"
  /** The response is too old, was used before, or belongs to another window. */
  | "expired"
  /** The clocks of this device and of the issuer differ too much. */
  | "clock"
  /** The issuer, or this server, does not respond. */
  | "unreachable"
  /** The server does not accept the issuer's token. */
  | "rejected"
  /** The page was not loaded over https. */
  | "insecure"
  /** The browser keeps nothing. */
  | "storage"
  | "failed"

export class SignInProblem extends Error {
  readonly kind: SignInProblemKind

  constructor(kind: SignInProblemKind, detail = "") {
    super(detail)
    this.kind = kind
  }
}
