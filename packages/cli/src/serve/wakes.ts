import type { Runtime, Store } from "@parlor/core"

/** The config may call a person by another name of theirs: it is they who are written to (ADR-4). */
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
