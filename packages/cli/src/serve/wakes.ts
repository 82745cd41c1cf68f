import type { Runtime, Store } from "@parlor/core"

/** The config may use a linked name: the message goes to its person (ADR-4). */
export function wakesByPerson(
  { send, txid }: Pick<Runtime, "send" | "txid">,
  store: Pick<Store, "linksOf">,
): Pick<Runtime, "send" | "txid"> {
  return {
    txid,
    send: async (address, message) => {
      const [link] = await store.linksOf([address.person])
      return send(link === undefined ? address : { ...address, person: link.person }, message)
    },
  }
}
