/**
 * A part of the port, made of two classes: one that reads on this thread and one that writes in the writer thread.
 *
 * A method that is added to one of these classes is part of the store: what is passed between the threads is derived
 * from the public methods of the writing class, by name.
 */
import type { Channel } from "./channel.ts"
import type { WriteParts } from "./write-parts.ts"

type Method = (...args: never[]) => unknown
type AnyMethod = (...args: unknown[]) => unknown

/** The methods of a class, as seen from outside its thread. */
export type Async<T> = {
  readonly [M in keyof T as T[M] extends Method ? M : never]: T[M] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<R>
    : never
}

/** Runs a read when it is its turn. */
export type RunRead = <T>(read: () => T) => Promise<T>

export function readPart<R extends object>(reads: R, run: RunRead): Async<R> {
  const methods = methodsOf(Object.getPrototypeOf(reads) as object).map(([name, method]) => [
    name,
    (...args: unknown[]) => run(() => method.apply(reads, args)),
  ])
  return Object.fromEntries(methods) as Async<R>
}

/** `done` is called after each write, whether it succeeded or not. */
export function writePart<P extends keyof WriteParts>(
  channel: Channel,
  part: P,
  writes: { readonly prototype: WriteParts[P] },
  done?: () => void,
): Async<WriteParts[P]> {
  const call = (name: string, args: readonly unknown[]) => channel.call(part, name, args)
  const methods = methodsOf(writes.prototype).map(([name]) => [
    name,
    done === undefined
      ? (...args: unknown[]) => call(name, args)
      : (...args: unknown[]) => call(name, args).finally(done),
  ])
  return Object.fromEntries(methods) as Async<WriteParts[P]>
}

function methodsOf(prototype: object): [string, AnyMethod][] {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) =>
    name !== "constructor" && typeof value === "function" ? [[name, value as AnyMethod]] : [],
  )
}
