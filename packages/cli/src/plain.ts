/**
 * Makes text from models and other people safe for a terminal.
 *
 * Escape sequences can rename the window, move the cursor, write the clipboard and forge earlier output. None of
 * their bytes gets through: control characters become Unicode control pictures. Each character is judged alone, so a
 * sequence split into pieces is caught too.
 */
export function plain(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(UNSAFE, picture)
}

/** The same for JSON: escapes what JSON's own escaping leaves in place, without changing its meaning. */
export function plainJson(json: string): string {
  return json.replace(UNSAFE_IN_JSON, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

// Everything below space except tab and line feed, delete, the C1 controls, and bidirectional overrides.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is meant to match control characters.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is meant to match control characters.
const UNSAFE_IN_JSON = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

const PICTURES = 0x2400
const DELETE_PICTURE = "\u2421"

function picture(char: string): string {
  const code = char.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(PICTURES + code)
  return code === 0x7f ? DELETE_PICTURE : "\ufffd"
}
