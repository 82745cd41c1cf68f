/** The search thread: it reads through its own connection, one search after another. */
import { parentPort, workerData } from "node:worker_threads"
import { connectReader } from "../connect.ts"
import { SearchReads } from "../search.ts"
import { CLOSE, type Reply, type SearchCall, toWireError, type WorkerSettings } from "./calls.ts"

function run(): void {
  const port = parentPort
  if (port === null) throw new Error("search-worker.ts runs as a worker thread only")
  const db = connectReader((workerData as Pick<WorkerSettings, "path">).path)
  const reads = new SearchReads(db)
  const reply = (message: Reply) => port.postMessage(message)
  const serve = async (call: SearchCall): Promise<void> => {
    if (call === CLOSE) {
      db.close()
      port.close()
      return
    }
    try {
      reply([call[0], true, await reads.search(call[1])])
    } catch (error) {
      reply([call[0], false, toWireError(error)])
    }
  }
  let last = Promise.resolve()
  port.on("message", (call: SearchCall) => {
    last = last.then(() => serve(call))
  })
}

run()
