/** A TCP proxy whose connections can be reset, or go silent as if a cable was pulled: open, but nothing arrives. */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

export type TcpProxy = {
  readonly port: number
  /** Sets the target of new connections. */
  retarget(port: number): void
  /** Resets every open connection. */
  cut(): void
  /** Drops all bytes in both directions, on open and new connections, until called with false. */
  silence(isSilent: boolean): void
  close(): Promise<void>
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  let target = targetPort
  let isSilent = false
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1")
    join(near, far)
    join(far, near)
  })
  /** Bytes that arrive while it is silent are dropped, so the connection is unusable afterwards and `cut` closes it. */
  function join(from: Socket, to: Socket): void {
    sockets.add(from)
    from.on("data", (bytes) => {
      if (isSilent || to.destroyed) return
      if (!to.write(bytes)) from.pause()
    })
    from.on("drain", () => to.resume())
    from.on("error", () => undefined)
    from.on("close", () => {
      sockets.delete(from)
      if (!isSilent) to.destroy()
    })
  }
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    port: (server.address() as AddressInfo).port,
    retarget: (port) => {
      target = port
    },
    cut,
    silence: (silent) => {
      isSilent = silent
      if (!silent) cut()
    },
    close: async () => {
      cut()
      server.close()
      await once(server, "close")
    },
  }
}
