import type { Links, Runtime } from "@parlor/core"

/** The config may use a linked name: the message goes to its person (ADR-4). */
export function wakesByPerson(
  { send, txid }: Pick<Runtime, "send" | "txid">,
  store: { readonly links: Pick<Links, "named"> },
): Pick<Runtime, "send" | "txid"> {
  return {
    txid,
    send: async (address, message) => {
      const [link] = await store.links.named([address.person])
      return send(link === undefined ? address : { ...address, person: link.person }, message)
    },
  }
}
