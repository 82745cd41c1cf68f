/** Method and path of every route: those of the SDK, and those for other protocols and for operators. */
import { type Method, sdkEndpoints } from "./sdk-endpoints.ts"

export const endpoints = {
  ...sdkEndpoints,
  live: "GET /livez",
  ready: "GET /readyz",
  version: "GET /v1/version",
  readSignIn: "GET /v1/sign-in",
  metrics: "GET /metrics",
  health: "GET /healthz",
  describe: "GET /openapi.json",
  deliverHook: "POST /hooks/:id",
  uiSend: "POST /v1/ui/:agent",
  uiResume: "GET /v1/ui/:agent/:branch/stream",
  uiMessages: "GET /v1/ui/:agent/:branch/messages",
  uiStop: "POST /v1/ui/:agent/:branch/stop",
  mcp: "POST /mcp",
  openaiModels: "GET /v1/models",
  openaiModel: "GET /v1/models/:model",
  openaiChat: "POST /v1/chat/completions",
  openaiRespond: "POST /v1/responses",
  openaiResponse: "GET /v1/responses/:id",
  openaiCancel: "POST /v1/responses/:id/cancel",
  openaiDelete: "DELETE /v1/responses/:id",
  agUiRun: "POST /v1/ag-ui/:agent",
  agUiConnect: "GET /v1/ag-ui/:agent/:branch/events",
  agUiStop: "POST /v1/ag-ui/:agent/:branch/stop",
} as const

export type RouteName = keyof typeof endpoints

type Split<E> = E extends `${infer M extends Method} ${infer P}` ? { readonly method: M; readonly path: P } : never
export type EndpointOf<N extends RouteName> = Split<(typeof endpoints)[N]>

export function endpointOf<N extends RouteName>(name: N): EndpointOf<N> {
  const [method, path] = endpoints[name].split(" ")
  return { method, path } as EndpointOf<N>
}
