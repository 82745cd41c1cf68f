/** An invalid setting in the environment. */
export class SettingsError extends Error {}
