export { memoryPins, openPins, type Pins } from "./pins.ts"
export type { ListName, LocalServer, RemoteServer, ServerConfig, WakeOn } from "./server-config.ts"
export { type McpToolsets, openToolsets, type Servers, type ToolsetsParts } from "./toolsets.ts"
export type { SendWake } from "./waker.ts"
