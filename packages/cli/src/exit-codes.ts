/** The exit codes of `parlor`. docs/reference.md lists them. */
export const exitCodes = {
  /** Done. */
  done: 0,
  /** Something failed that no other code describes. */
  failed: 1,
  /** The command line, a file, a setting or the config is wrong: nothing was sent. */
  usage: 2,
  /** The server cannot be reached, or cannot answer now. Try again later. */
  unreachable: 3,
  /** The token is wrong, or does not allow it. */
  denied: 4,
  /** The server refused it: repeating the same command is useless. */
  refused: 5,
  /** The agent's turn failed. */
  turnFailed: 6,
  /** The turn was stopped elsewhere, or the message was removed from the queue. */
  turnStopped: 7,
  /** Ctrl-C. */
  interrupted: 130,
} as const
