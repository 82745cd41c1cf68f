/**
 * Web push: the browsers that asked for it, the server's key pair, and the sender (APP-6).
 *
 * The endpoint and the keys of a subscription let nobody send: push services accept only what the server's private key
 * has signed. Only that key is a secret at rest, and it is sealed (SEC-29).
 */
import type { Millis } from "@parlor/protocol"

/** Where a browser receives, and its keys, in base64url (RFC 8291). */
export type PushTarget = { readonly endpoint: string; readonly p256dh: string; readonly auth: string }

export type PushRecord = PushTarget & {
  /** Derived from the endpoint and the keys: whoever does not know them cannot name it. */
  readonly id: string
  readonly person: string
  /** The public key of the server that the browser subscribed to. It accepts no other. */
  readonly serverKey: string
  /** How the person recognizes it. */
  readonly device: string
  /** Whether the beginning of messages is sent along. */
  readonly showsText: boolean
  /** The hash of the API key that subscribed it; null if the person did. */
  readonly keyHash: string | null
  /** When the browser last said that it is in use. */
  readonly seenAt: Millis
}

/** The key pair that identifies the server to push services (RFC 8292), in base64url. */
export type PushKeys = { readonly publicKey: string; readonly privateKey: string }

/** `secret`: the sealed private key. */
export type PushKeysRecord = { readonly publicKey: string; readonly secret: string }

export interface Pushes {
  /** A person's subscriptions, the one seen last first. */
  of(person: string): Promise<readonly PushRecord[]>
  /**
   * Adds or replaces by id, even one of another person: the browser belongs to whoever subscribed last. Of this
   * person's, only the newest `most` stay.
   */
  put(record: PushRecord, most: number): Promise<void>
  /** False if this person has none of that id. */
  remove(person: string, id: string): Promise<boolean>
  keys(): Promise<PushKeysRecord | undefined>
  /** False, and nothing changed, unless `before` is the current public key. */
  setKeys(record: PushKeysRecord, before: string | undefined): Promise<boolean>
}

export type Push = {
  readonly keys: PushKeys
  readonly to: PushTarget
  readonly at: Millis
  readonly body: string
  /** Of several with the same topic, a push service that holds them back delivers the last. */
  readonly topic: string
  readonly urgency: "high" | "normal"
}

/** `gone`: the browser no longer receives under this subscription, now or later. */
export type Pushed =
  | { readonly kind: "sent" }
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly detail: string }

/** Encrypts and sends, only to allowed addresses (SEC-7). */
export interface PushSender {
  makeKeys(): PushKeys
  idOf(target: PushTarget): string
  topicOf(name: string): string
  /** What is wrong with a subscription as given; whether its address is allowed is known only when connecting. */
  defect(target: PushTarget): { readonly field: keyof PushTarget; readonly detail: string } | undefined
  /** Never rejects, and ends after a time limit. */
  send(push: Push): Promise<Pushed>
}
