/** Something an agent's author can put right. Says which agent and which field. */
export class ConfigError extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.name = "ConfigError"
  }
}
