import type { Store } from "@parlor/core"

/** The store with some of its members replaced. */
export function withMembers(store: Store, members: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      const own: unknown = Reflect.get(members, name)
      if (own !== undefined) return own
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === "function" ? member.bind(target) : member
    },
  })
}
