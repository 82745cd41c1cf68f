/** A program that speaks ACP and runs the turns of an agent (HST-13, HST-14). */
export type AcpOptions = {
  /** The program and its arguments. Those that begin with ./ or ../ are relative to the config file. */
  readonly command: readonly string[]
  /** Its environment, besides PATH and a home folder of its own. The server's own variables are not passed on. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * Whether it is offered to read and write files through Parlor. Default: true. An agent that cannot do that correctly
   * works with false: it then uses the disk, and what it writes there is recorded all the same.
   */
  readonly files?: boolean
  /** How long a process may be without work before it ends. Default: ten minutes. */
  readonly idleMs?: number
  /** How long the program may take to start, or to open a session. Default: two minutes. */
  readonly startMs?: number
}
