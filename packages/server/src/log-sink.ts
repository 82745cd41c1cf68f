/**
 * Writes log lines to a file descriptor and never fails: a line that cannot be written, because a disk or a pipe is
 * full, is dropped, and the next successful one is preceded by a line with the number of dropped lines (LOG-18).
 */
import { writeSync } from "node:fs"

export function lineSink(fd: number): { write(line: string): void } {
  let dropped = 0
  /** A line was written in part: the next one starts with a newline. */
  let torn = false
  const isWritten = (text: string): boolean => {
    const bytes = Buffer.from(torn ? `\n${text}` : text)
    try {
      const written = writeSync(fd, bytes)
      if (written > 0) torn = written < bytes.length
      return written === bytes.length
    } catch {
      return false
    }
  }
  return {
    write(line) {
      if (dropped > 0 && isWritten(droppedLine(dropped))) dropped = 0
      if (!isWritten(line)) dropped += 1
    },
  }
}

function droppedLine(dropped: number): string {
  return `${JSON.stringify({ level: 40, time: Date.now(), dropped, msg: "log lines dropped" })}\n`
}
