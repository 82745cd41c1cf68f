/** The terminal of this process in raw mode: every key as it is pressed. */

import { decodeKeys, type Key } from "./keys.ts"
import type { Size } from "./screen.ts"

type TtyListener = {
  readonly onKey: (key: Key) => void
  readonly onResize: () => void
  /** The terminal is gone, or the process was asked to end. */
  readonly onEnd: () => void
}

export type Tty = {
  size(): Size
  write(text: string): void
  /** Enters raw mode until the returned function is called. */
  open(listener: TtyListener): () => void
}

/** An escape that nothing follows for this long is the Escape key. */
const ESCAPE_MS = 50
const PASTE_ON = "\u001b[?2004h"
const PASTE_OFF = "\u001b[?2004l"

export function processTty(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Tty {
  return {
    size: () => ({ columns: output.columns || 80, rows: output.rows || 24 }),
    write: (text) => void output.write(text),
    open: (listener) => takeOver(input, output, listener),
  }
}

function takeOver(input: NodeJS.ReadStream, output: NodeJS.WriteStream, listener: TtyListener): () => void {
  let rest = ""
  let lone: NodeJS.Timeout | undefined
  const take = (text: string): void => {
    clearTimeout(lone)
    const decoded = decodeKeys(rest + text)
    rest = decoded.rest
    for (const key of decoded.keys) listener.onKey(key)
    if (rest !== "\u001b") return
    lone = setTimeout(() => {
      rest = ""
      listener.onKey({ name: "escape" })
    }, ESCAPE_MS)
  }
  input.setRawMode(true).setEncoding("utf8").on("data", take).on("end", listener.onEnd).resume()
  output.on("resize", listener.onResize).write(PASTE_ON)
  for (const signal of SIGNALS) process.on(signal, listener.onEnd)
  return () => {
    clearTimeout(lone)
    for (const signal of SIGNALS) process.off(signal, listener.onEnd)
    input.off("data", take).off("end", listener.onEnd).setRawMode(false).pause()
    output.off("resize", listener.onResize).write(PASTE_OFF)
  }
}

const SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT"] as const
