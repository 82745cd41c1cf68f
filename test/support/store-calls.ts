/** A store whose calls a test can fail, delay or count, by name: `log.commit`, `keys.find`, `probe`. */
import type { Store, StoreParts } from "@parlor/core"

type PartCall = { [P in keyof StoreParts]: `${P}.${keyof StoreParts[P] & string}` }[keyof StoreParts]
export type StoreCall = PartCall | Exclude<keyof Store, keyof StoreParts>
export type AnyCall = (...args: unknown[]) => unknown

const PARTS: Readonly<Record<keyof StoreParts, true>> = {
  providers: true,
  preferences: true,
  pushes: true,
  log: true,
  keys: true,
  links: true,
  shares: true,
  memories: true,
  blobs: true,
  triggers: true,
  search: true,
  usage: true,
  deletions: true,
}

/** `wrap` gets each call with its name and returns the replacement. */
export function wrapStore(store: Store, wrap: (name: StoreCall, call: AnyCall) => AnyCall): Store {
  const parts = new Map<string | symbol, object>()
  const wrapped = <T extends object>(target: T, prefix: string): T =>
    new Proxy(target, {
      get(_, name) {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member === "function") return wrap(`${prefix}${String(name)}` as StoreCall, member.bind(target))
        if (prefix !== "" || !Object.hasOwn(PARTS, name)) return member
        const part = parts.get(name) ?? wrapped(member as object, `${String(name)}.`)
        parts.set(name, part)
        return part
      },
    })
  return wrapped(store, "")
}
