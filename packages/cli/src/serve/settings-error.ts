/** The environment says something this server cannot work with. */
export class SettingsError extends Error {}
