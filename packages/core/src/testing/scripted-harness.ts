/**
 * A harness that follows scripts: for tests of hosted agents without a process. Each prompt takes the next script, a
 * function that may wait, ask and write files, as a real agent does.
 */
import { type Harness, HarnessFault, type HarnessOffers, type HarnessPrompt } from "../ports/harness.ts"

export type HarnessScript = (prompt: HarnessPrompt) => Promise<void> | void

export class ScriptedHarness implements Harness {
  readonly prompts: HarnessPrompt[] = []
  readonly ended: string[] = []
  /** Sessions that can be resumed. */
  readonly sessions = new Set<string>()
  offered: HarnessOffers = { models: [], modes: [] }
  readonly #scripts: HarnessScript[]
  #made = 0

  constructor(...scripts: readonly HarnessScript[]) {
    this.#scripts = [...scripts]
  }

  add(...scripts: readonly HarnessScript[]): void {
    this.#scripts.push(...scripts)
  }

  offers(): HarnessOffers {
    return this.offered
  }

  async run(prompt: HarnessPrompt): Promise<void> {
    this.prompts.push(prompt)
    const isKnown = prompt.session !== undefined && this.sessions.has(prompt.session)
    if (prompt.isContinued && !isKnown) throw new HarnessFault("session", "The session is unknown.")
    if (!isKnown) {
      const id = `ses_${++this.#made}`
      this.sessions.add(id)
      await prompt.onSession(id)
    }
    const script = this.#scripts.shift()
    if (script === undefined) throw new HarnessFault("refused", "The script has no answer left.")
    await script(prompt)
    prompt.signal.throwIfAborted()
  }

  async end(conversation: string): Promise<void> {
    this.ended.push(conversation)
  }
}
