export { openSandbox, type SandboxOptions } from "./open-sandbox.ts"
