/**
 * Valid paths of files in a workspace (WSP-1). Pure.
 *
 * One rule for every system, so that a workspace can move to another machine: a path that some file system would
 * interpret differently (a parent, a drive, a device, a stream, another file) is rejected everywhere.
 */
import { limits, Refusal } from "@parlor/protocol"

/** Throws `file.path` with a sentence that says what is wrong. */
export function checkPath(path: string, pointer?: string): string {
  const defect = pathDefect(path)
  if (defect === undefined) return path
  throw new Refusal("file.path", `${shown(path)} cannot be the path of a file: ${defect}.`, pointer)
}

/** What is wrong with it, or undefined. */
export function pathDefect(path: string): string | undefined {
  if (path === "") return "it is empty"
  if (path.length > limits.filePathLength) return `it is longer than ${limits.filePathLength} characters`
  if (!path.isWellFormed()) return "it contains half of a surrogate pair"
  if (UNSEEN.test(path)) return "it contains an invisible character"
  if (path.includes("\\")) return "its segments must be separated by /, not by \\"
  if (path.startsWith("/")) return "it has to be relative"
  if (path !== path.normalize("NFC"))
    return `it is not in Unicode form NFC; write it as ${shown(path.normalize("NFC"))}`
  if (FORBIDDEN.test(path)) return 'it contains one of < > : " | ? *'
  const steps = path.split("/")
  if (steps.length > limits.filePathDepth) return `it has more than ${limits.filePathDepth} segments`
  for (const step of steps) {
    const defect = stepDefect(step)
    if (defect !== undefined) return defect
  }
  return undefined
}

/** Paths that some file system considers equal give the same text. */
export function foldPath(path: string): string {
  return path.normalize("NFKC").replace(IGNORED, "").toUpperCase().toLowerCase().normalize("NFKC")
}

/** The folders above a path, outermost first. */
export function foldersOf(path: string): readonly string[] {
  const folders: string[] = []
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) folders.push(path.slice(0, end))
  return folders
}

// Joiners are part of words in some scripts; all other invisible characters only serve to deceive.
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
const IGNORED = /\u200c|\u200d|[\ufe00-\ufe0f]/g
const FORBIDDEN = /[<>:"|?*]/
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(?:\.|$)/i
/** On Windows, `longer~1` is a short name of a longer one. */
const SHORTENED = /~\d/
const PRIVATE = ".parlor"

function stepDefect(step: string): string | undefined {
  if (step === "") return "it has an empty segment"
  const plain = foldPath(step)
  if (/^\.+$/.test(plain)) return `it has the segment ${shown(step)}`
  if (/[/\\]/.test(plain)) return "it contains a character that some systems treat as a separator"
  if (/^\s|[\s.]$/.test(plain) || /^\s|[\s.]$/.test(step))
    return "a segment begins with a space, or ends with a space or dot"
  if (FORBIDDEN.test(plain)) return 'it contains one of < > : " | ? *'
  if (RESERVED.test(plain) || RESERVED.test(step)) return `${shown(step)} is the name of a device on some systems`
  if (SHORTENED.test(plain)) return `${shown(step)} is a short name on some systems`
  if (plain.startsWith(PRIVATE)) return `names that begin with ${PRIVATE} are reserved for Parlor`
  if (new TextEncoder().encode(step).length > limits.fileNameBytes)
    return `a segment is longer than ${limits.fileNameBytes} bytes`
  return undefined
}

const SHOWN_CHARS = 80

function shown(path: string): string {
  const cut = path.length > SHOWN_CHARS ? `${path.slice(0, SHOWN_CHARS)}…` : path
  return JSON.stringify(cut.toWellFormed())
}
