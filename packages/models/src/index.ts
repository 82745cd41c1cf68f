export { aiSdkModel } from "./ai-sdk/model.ts"
export { type DemoOptions, demoModel } from "./demo/demo.ts"
export { defaultModelSpec, type Env, ModelConfigError, resolveModel } from "./providers.ts"
