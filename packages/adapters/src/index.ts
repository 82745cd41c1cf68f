export { answerOf, type Elicitation, type Elicited, elicitationOf } from "./mcp/mcp-elicitation.ts"
export { askView, cutText, type McpProgress, McpReply } from "./mcp/mcp-reply.ts"
export {
  type McpHitView,
  type McpInput,
  type McpMessageView,
  type McpOutput,
  type McpReplyView,
  type McpToolName,
  mcpTools,
} from "./mcp/mcp-tools.ts"
export { UI_DONE, type UiChunk, type UiUserPart, uiFrame } from "./ui/ui-chunk.ts"
export { type UiMessage, type UiPart, uiMessages } from "./ui/ui-messages.ts"
export { clientIdOf, readUiRequest, type UiAct, type UiFile } from "./ui/ui-request.ts"
export { UiStream, type UiStreamOptions } from "./ui/ui-stream.ts"
