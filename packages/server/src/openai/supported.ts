/**
 * Refuses what a reply could not honor. Settings of the model (temperature, instructions, a limit of tokens) are
 * ignored: the agent on the server has its own. So are tools of the client, unless the reply would have to call one.
 */
import { type OpenaiChatRequest, type OpenaiResponseRequest, Refusal } from "@parlor/protocol"

export function checkChat({ n, tool_choice, response_format }: OpenaiChatRequest): void {
  if (n != null && n !== 1) throw new Refusal("request.invalid", "There is one reply: `n` must be 1.", "/n")
  checkToolChoice(tool_choice)
  checkFormat(response_format?.type, "/response_format")
}

export function checkResponse(request: OpenaiResponseRequest): void {
  checkToolChoice(request.tool_choice)
  checkFormat(request.text?.format?.type, "/text/format")
  if (request.conversation != null && request.previous_response_id != null)
    throw new Refusal(
      "request.invalid",
      "Provide `conversation` or `previous_response_id`, not both.",
      "/previous_response_id",
    )
  if (request.background && request.store === false)
    throw new Refusal("request.invalid", "A response in the background has to be stored.", "/store")
}

function checkToolChoice(choice: OpenaiChatRequest["tool_choice"]): void {
  if (choice == null || choice === "auto" || choice === "none") return
  throw new Refusal(
    "request.invalid",
    "Tools run on the server and the agent chooses them: `tool_choice` must be auto or none.",
    "/tool_choice",
  )
}

function checkFormat(type: string | undefined, pointer: string): void {
  if (type === undefined || type === "text") return
  throw new Refusal("request.invalid", `Replies are text: the format "${type}" is not supported.`, pointer)
}
