import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/**
 * A proxy between a store and its server. While it swallows, connections are accepted and nothing is forwarded, either
 * way.
 */
export async function startBlackHole(url: string) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let swallows = false
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    near.on("data", (data) => swallows || far.write(data))
    far.on("data", (data) => swallows || near.write(data))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on("error", () => undefined)
      one.on("close", () => other.destroy())
    }
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const own = new URL(url)
  own.port = String((server.address() as AddressInfo).port)
  return {
    url: own.href,
    swallow: (on: boolean) => {
      swallows = on
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
}
