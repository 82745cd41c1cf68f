/** Branded ids. They are strings on the wire; the brand stops one kind from being passed as another. */
declare const brand: unique symbol
type Brand<T, Name extends string> = T & { readonly [brand]: Name }

export type MessageId = Brand<string, "message">
export type TurnId = Brand<string, "turn">
export type AskId = Brand<string, "ask">
export type KeyId = Brand<string, "key">
/** The request that caused a change. */
export type TxId = Brand<string, "tx">
/** A stream's id in the store. Internal: clients never have to keep it (ADR-6). */
export type StreamId = Brand<number, "stream">

export type Millis = number
