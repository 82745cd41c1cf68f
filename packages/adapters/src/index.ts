export { UI_DONE, type UiChunk, type UiUserPart, uiFrame } from "./ui/ui-chunk.ts"
export { type UiMessage, type UiPart, uiMessages } from "./ui/ui-messages.ts"
export { clientIdOf, readUiRequest, type UiAct, type UiFile } from "./ui/ui-request.ts"
export { UiStream, type UiStreamOptions } from "./ui/ui-stream.ts"
