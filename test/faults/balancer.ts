/** A TCP load balancer: each connection goes to the next server that accepts it. */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

export type Balancer = {
  readonly port: number
  /** Sets the servers for new connections; open ones stay. */
  setTargets(ports: readonly number[]): void
  close(): Promise<void>
}

/** How often all servers are tried before a connection is dropped: one may be starting. */
const ROUNDS = 50
const ROUND_MS = 100

export async function startBalancer(): Promise<Balancer> {
  let targets: readonly number[] = []
  let turn = 0
  const sockets = new Set<Socket>()
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (near) => {
    track(near)
    reach(near).then(
      (far) => {
        if (far === undefined || near.destroyed) return void near.destroy()
        track(far)
        near.pipe(far)
        far.pipe(near)
        near.on("close", () => far.destroy())
        far.on("close", () => near.destroySoon())
      },
      () => near.destroy(),
    )
  })

  function track(socket: Socket): void {
    sockets.add(socket)
    socket.on("error", () => undefined)
    socket.on("close", () => sockets.delete(socket))
  }

  async function reach(near: Socket): Promise<Socket | undefined> {
    for (let round = 0; round < ROUNDS && !near.destroyed; round++) {
      for (let tries = 0; tries < targets.length; tries++) {
        const far = await connected(targets[turn++ % targets.length] ?? 0)
        if (far !== undefined) return far
      }
      await new Promise((resolve) => setTimeout(resolve, ROUND_MS))
    }
    return undefined
  }

  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    port: (server.address() as AddressInfo).port,
    setTargets: (ports) => {
      targets = ports
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
}

function connected(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const far = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
    far.once("error", () => resolve(undefined))
    far.once("connect", () => resolve(far))
  })
}
