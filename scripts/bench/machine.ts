/** What a process costs, on Linux: CPU, memory, files. And the numbers of a series. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"

const TICK_MS = 10

/** A process and everything it started. */
function treeOf(pid: number): readonly number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    const parent = Number(fieldsOf(Number(name))?.[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const found = [pid]
  for (const one of found) found.push(...(children.get(one) ?? []))
  return found
}

export function cpuMs(pids: readonly number[]): number {
  const ticks = pids.flatMap(treeOf).map((pid) => {
    const fields = fieldsOf(pid)
    return Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0)
  })
  return ticks.reduce((sum, count) => sum + count, 0) * TICK_MS
}

/** Proportional set size. */
export function memoryMb(pids: readonly number[]): number {
  let kb = 0
  for (const pid of pids.flatMap(treeOf)) kb += Number(/Pss:\s+(\d+)/.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
  return kb / 1024
}

export function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

export function percentile(series: readonly number[], share: number): number {
  const sorted = series.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** How much `y` grows per unit of `x`, by least squares. */
export function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x0, y0] = [mean(([x]) => x), mean(([, y]) => y)]
  const over = points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0)
  return over / points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0)
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === "string") throw new Error("no port")
  return address.port
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

function fieldsOf(pid: number): readonly string[] | undefined {
  const text = read(`/proc/${pid}/stat`)
  return text === "" ? undefined : text.slice(text.lastIndexOf(")") + 2).split(" ")
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
