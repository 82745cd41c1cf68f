/** A folder with a SKILL.md that an agent can look up when a task needs it (CMP-11). */
export type Skill = {
  readonly name: string
  readonly description: string
  /** What to type after its command (CMP-19). */
  readonly argumentHint?: string
  /** The text of SKILL.md after its front matter. */
  readonly body: string
  /** Other text files of the folder, by path. */
  readonly files: Readonly<Record<string, string>>
}
