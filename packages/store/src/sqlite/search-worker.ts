/** The thread that searches: it reads through a connection of its own, one search after the other. */
import { parentPort, workerData } from "node:worker_threads"
import { connectReader } from "./connect.ts"
import { type SearchInput, SearchReads } from "./search.ts"
import { type Reply, toWireError, type WorkerSettings } from "./wire.ts"

export type SearchCall = readonly [number, SearchInput]

function run(): void {
  const port = parentPort
  if (port === null) throw new Error("search-worker.ts runs as a worker thread only")
  const reads = new SearchReads(connectReader((workerData as Pick<WorkerSettings, "path">).path))
  const reply = (message: Reply) => port.postMessage(message)
  let last = Promise.resolve()
  port.on("message", ([number, input]: SearchCall) => {
    last = last.then(async () => {
      try {
        reply([number, true, await reads.search(input)])
      } catch (error) {
        reply([number, false, toWireError(error)])
      }
    })
  })
}

run()
