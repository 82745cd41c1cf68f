export { type AcpForm, acpAskText, acpForm, acpFormAnswer, acpPermissionOptions } from "./acp/acp-ask.ts"
export { AcpFacts } from "./acp/acp-facts.ts"
export { acpMessages } from "./acp/acp-messages.ts"
export { ACP_MODEL_OPTION, acpConfigOptions } from "./acp/acp-models.ts"
export { type AcpFile, type AcpPromptBlock, readAcpPrompt } from "./acp/acp-prompt.ts"
export { type AcpEvent, AcpReading, type AcpReadingOptions } from "./acp/acp-reading.ts"
export type { AcpFiles } from "./acp/acp-tools.ts"
export { type AcpDiff, type AcpToolContent, type AcpUpdate, acpText } from "./acp/acp-update.ts"
export { type AgUiPlace, type AgUiRunError, agUiFrame, parsePlace } from "./ag-ui/ag-ui-event.ts"
export { type AgUiAct, agUiAnswer, readAgUiInput } from "./ag-ui/ag-ui-input.ts"
export { agUiMessages } from "./ag-ui/ag-ui-messages.ts"
export { AgUiRun, type AgUiRunOptions } from "./ag-ui/ag-ui-run.ts"
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
export { ChatCompletion } from "./openai/chat-completion.ts"
export { openaiError, openaiStatus } from "./openai/openai-error.ts"
export { comparable, compareResent, type ResentVerdict, type StoredMessage } from "./openai/resent.ts"
export { parseResponseId, type ResponsePlace } from "./openai/response-id.ts"
export { type ResponseEvent, ResponseStream } from "./openai/response-stream.ts"
export { type OpenaiFile, type Said, type SaidAll, saidInItems, saidInMessages } from "./openai/said.ts"
export { isTaskPrompt } from "./openai/task-prompt.ts"
export { UI_DONE, type UiChunk, type UiUserPart, uiFrame } from "./ui/ui-chunk.ts"
export { type UiMessage, type UiPart, uiMessages } from "./ui/ui-messages.ts"
export { clientIdOf, readUiRequest, type UiAct } from "./ui/ui-request.ts"
export { UiStream, type UiStreamOptions } from "./ui/ui-stream.ts"
