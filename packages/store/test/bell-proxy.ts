import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { BELL_NAME } from "../src/postgres/notify/bell.ts"

/** A proxy between a store and its server that can stop forwarding the current bell connections, both ways. */
export async function startBellProxy(url: string) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const bells: { swallowed: boolean }[] = []
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    const line = { swallowed: false }
    // The first packet names the application.
    near.once("data", (data) => data.includes(BELL_NAME) && bells.push(line))
    near.on("data", (data) => line.swallowed || far.write(data))
    far.on("data", (data) => line.swallowed || near.write(data))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on("error", () => undefined)
      one.on("close", () => line.swallowed || other.destroy())
    }
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const own = new URL(url)
  own.port = String((server.address() as AddressInfo).port)
  return {
    url: own.href,
    bells: () => bells.length,
    swallow: () => {
      for (const line of bells) line.swallowed = true
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
}
