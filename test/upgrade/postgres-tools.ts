/** A PostgreSQL of this machine with its own pg_dump and pg_restore: pg_dump does not read newer servers. */
import { spawn } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"

const NEEDED = ["initdb", "postgres", "pg_dump", "pg_restore"]
const DEBIAN = "/usr/lib/postgresql"
/** PostgreSQL does not run as root. */
const NOBODY = 65_534

export type MachinePostgres = {
  readonly url: string
  run(tool: "pg_dump" | "pg_restore", args: readonly string[]): Promise<void>
  remove(): Promise<void>
}

/** The folder of the tools; undefined if this machine has none. */
export function postgresTools(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, "bin")) : []
  const folders = [...versions, ...(process.env.PATH ?? "").split(":")]
  return folders.find((folder) => NEEDED.every((tool) => existsSync(join(folder, tool))))
}

export async function startMachinePostgres(tools: string): Promise<MachinePostgres> {
  const folder = mkdtempSync(join(tmpdir(), "parlor-tools-pg-"))
  const as = userInfo().uid === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid)
  const data = join(folder, "data")
  const port = await freePort()
  await ended(
    spawn(join(tools, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8"], as),
  )
  const settings = ["fsync=off", "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`]
  const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])]
  const server = spawn(join(tools, "postgres"), args, { ...as, stdio: ["ignore", "ignore", "pipe"] })
  const gone = new Promise<void>((resolve) => server.once("exit", () => resolve()))
  await new Promise<void>((resolve, reject) => {
    server.stderr.setEncoding("utf8").on("data", (line: string) => {
      if (line.includes("ready to accept connections")) resolve()
    })
    gone.then(() => reject(new Error("PostgreSQL did not start")))
  })
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    run: (tool, toolArgs) => ended(spawn(join(tools, tool), toolArgs)),
    remove: async () => {
      server.kill("SIGINT")
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function ended(child: ReturnType<typeof spawn>): Promise<void> {
  let said = ""
  child.stdout?.resume()
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text
  })
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(`${child.spawnfile}: ${said}`))))
  })
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
