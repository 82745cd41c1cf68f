export { aiSdkModel } from "./ai-sdk/model.ts"
export { type AiSdkModel, isAiSdkModel } from "./ai-sdk/version.ts"
export { type Env, ModelConfigError, type ModelInfo } from "./config.ts"
export type { ConnectedAccounts } from "./credential.ts"
export { type DemoOptions, demoModel } from "./demo/demo.ts"
export { findLocalServers, type LocalServer, type LocalServers } from "./local.ts"
export { type Offered, offersFor, usualOffers } from "./offers.ts"
export { type OpenedProviders, openProviders } from "./open-providers.ts"
export {
  defaultModelSpec,
  type ResolveModelOptions,
  replacedUrls,
  resolveAiSdkModel,
  resolveModel,
} from "./providers.ts"
export { notReady } from "./unready.ts"
