/** Resolves packages from this folder, also for files elsewhere: the same code runs with the clients of both folders. */
import { registerHooks } from "node:module"

registerHooks({
  resolve: (specifier, context, next) =>
    /^[@a-z]/.test(specifier) && !specifier.startsWith("node:") && !context.parentURL?.includes("/node_modules/")
      ? next(specifier, { ...context, parentURL: import.meta.url })
      : next(specifier, context),
})
