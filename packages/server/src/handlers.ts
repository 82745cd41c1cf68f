/** The handler of every route. */
import type { AnswerOf, RouteName, routes } from "@parlor/protocol"
import { openapi } from "./openapi/document.ts"
import * as account from "./routes/account.ts"
import * as agUi from "./routes/ag-ui.ts"
import * as attachments from "./routes/attachments.ts"
import * as branch from "./routes/branch.ts"
import * as compaction from "./routes/compaction.ts"
import * as config from "./routes/config.ts"
import * as conversations from "./routes/conversations.ts"
import * as files from "./routes/files.ts"
import * as grants from "./routes/grants.ts"
import * as health from "./routes/health.ts"
import * as inspector from "./routes/inspector.ts"
import * as keys from "./routes/keys.ts"
import * as links from "./routes/links.ts"
import * as mcp from "./routes/mcp.ts"
import * as mcpEndpoint from "./routes/mcp-endpoint.ts"
import * as memory from "./routes/memory.ts"
import * as messages from "./routes/messages.ts"
import * as metrics from "./routes/metrics.ts"
import * as models from "./routes/models.ts"
import * as openaiChat from "./routes/openai-chat.ts"
import * as openaiResponses from "./routes/openai-responses.ts"
import * as people from "./routes/people.ts"
import * as preferences from "./routes/preferences.ts"
import * as providers from "./routes/providers.ts"
import * as push from "./routes/push.ts"
import * as queue from "./routes/queue.ts"
import * as rollback from "./routes/rollback.ts"
import * as search from "./routes/search.ts"
import * as share from "./routes/share.ts"
import * as signIn from "./routes/sign-in.ts"
import * as streams from "./routes/streams.ts"
import * as transfer from "./routes/transfer.ts"
import * as trigger from "./routes/trigger.ts"
import * as ui from "./routes/ui.ts"
import * as usage from "./routes/usage.ts"
import * as version from "./routes/version.ts"
import type { Call, RawBytes, Services } from "./services.ts"
import type { EventAnswer } from "./streams/event-answer.ts"
import type { Source } from "./streams/source.ts"
import type { WaitAnswer } from "./streams/wait-answer.ts"
import type { WebAnswer } from "./streams/web-answer.ts"

type Result<N extends RouteName> = (typeof routes)[N] extends { stream: true }
  ? Source
  : (typeof routes)[N] extends { answer: { type: "application/jsonl" } }
    ? AsyncIterable<string>
    : (typeof routes)[N] extends { answer: { type: "text/event-stream" } }
      ? EventAnswer | undefined
      : (typeof routes)[N] extends { answer: { type: "web" } }
        ? WebAnswer
        : (typeof routes)[N] extends { answer: { type: "bytes" } }
          ? RawBytes
          : AnswerOf<N> extends undefined
            ? unknown
            : (typeof routes)[N] extends { mayStream: true }
              ? AnswerOf<N> | EventAnswer | WaitAnswer
              : AnswerOf<N>
type Handlers = { readonly [N in RouteName]: (services: Services, call: Call<N>) => Promise<Result<N>> }

export const handlers: Handlers = {
  ...health.handlers,
  describe: async ({ version, publicUrl }) => openapi(version, publicUrl),
  ...metrics.handlers,
  ...version.handlers,
  ...config.handlers,
  ...conversations.handlers,
  ...messages.handlers,
  ...queue.handlers,
  ...streams.handlers,
  ...transfer.handlers,
  ...signIn.handlers,
  ...account.handlers,
  ...keys.handlers,
  ...grants.handlers,
  ...share.handlers,
  ...links.handlers,
  ...people.handlers,
  ...branch.handlers,
  ...rollback.handlers,
  ...memory.handlers,
  ...mcp.handlers,
  ...mcpEndpoint.handlers,
  ...files.handlers,
  ...attachments.handlers,
  ...search.handlers,
  ...compaction.handlers,
  ...inspector.handlers,
  ...trigger.handlers,
  ...models.handlers,
  ...preferences.handlers,
  ...providers.handlers,
  ...push.handlers,
  ...usage.handlers,
  ...ui.handlers,
  ...openaiChat.handlers,
  ...openaiResponses.handlers,
  ...agUi.handlers,
}
