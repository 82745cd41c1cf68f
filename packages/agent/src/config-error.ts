/** An error that an agent's author can fix. Names the agent and the field. */
export class ConfigError extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.name = "ConfigError"
  }
}
