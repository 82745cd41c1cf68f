/** The shop's HTTP API as tools. Responses are validated before the model sees them. */
import { defineTool } from "@parlor/agent"
import { z } from "zod"

const ASK_ABOVE_EUROS = 50

const order = z.object({
  id: z.string(),
  item: z.string(),
  euros: z.number(),
  refunded: z.number().default(0),
})
const id = z.string().regex(/^[A-Z]-\d+$/, "An order number looks like A-7.")

export const lookUpOrder = defineTool({
  name: "look_up_order",
  description: "Looks up an order by its number.",
  input: z.object({ id }),
  output: order,
  repeatable: true,
  run: ({ id }, { signal }) => readOrder(id, signal),
})

export const refund = defineTool({
  name: "refund",
  description: "Refunds an order, in whole or in part.",
  input: z.object({ id, euros: z.number().positive() }),
  output: order,
  approval: ({ euros }) => euros > ASK_ABOVE_EUROS,
  run: ({ id, euros }, { signal, call }) =>
    ask(`/orders/${id}/refunds`, { method: "POST", body: JSON.stringify({ euros, key: call }), signal }),
})

export function readOrder(id: string, signal: AbortSignal): Promise<z.output<typeof order>> {
  return ask(`/orders/${id}`, { signal })
}

async function ask(path: string, init: RequestInit): Promise<z.output<typeof order>> {
  const response = await fetch(new URL(path, process.env.SHOP_URL), init)
  if (!response.ok) throw new Error(`The shop answered with status ${response.status}.`)
  return order.parse(await response.json())
}
