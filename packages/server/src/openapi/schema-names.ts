/** The names of schemas in the OpenAPI document: what is used more than once has one, and what clients handle most. */
import { collections, problem, routes, sendBody } from "@parlor/protocol"
import { z } from "zod"

export const schemaNames = z.registry<{ id: string }>()

const { messages, queue, status } = collections
const [textPart, , toolPart] = messages.shape.parts.element.options
const [textBody] = sendBody.options
const schedule = routes.changeSchedule.answer.schema
const usage = routes.readUsage.answer.schema
const [messageHit] = routes.search.answer.schema.shape.hits.element.options

const [rpcMessage] = routes.mcp.body.options
const modelSettings = status.shape.settings.unwrap()
const preferences = routes.readPreferences.answer.schema
const provider = routes.connectProvider.answer.schema

const named: Readonly<Record<string, z.ZodType>> = {
  Agent: routes.listAgents.answer.schema.shape.agents.element,
  AnswerRequest: routes.answerAsk.body,
  ApiTrigger: textBody.shape.trigger.unwrap(),
  Archive: collections.archives,
  Ask: collections.asks,
  Attempt: routes.inspectTurn.answer.schema.shape.steps.element.shape.attempts.element,
  Attachment: routes.attach.answer.schema,
  AttachmentPart: queue.shape.attachments.element,
  Branch: collections.branches,
  Change: collections.changes,
  ShareShows: routes.openShared.answer.schema.shape.shows,
  SlashCommand: collections.slashCommands,
  ComposerInput: messages.shape.composer.unwrap(),
  Conversation: collections.conversations,
  ConversationPlace: routes.keepSidecar.answer.schema,
  ConversationState: status.shape.state,
  Delivery: routes.fireHook.answer.schema,
  DeliveryTest: routes.testNotice.answer.schema,
  Delta: collections.deltas,
  DimmedRange: routes.listMessages.answer.schema.shape.inherited.element,
  File: collections.files,
  Firing: routes.openHook.answer.schema.shape.firings.element,
  Health: routes.live.answer.schema,
  Held: status.shape.held.unwrap(),
  HeldQueue: routes.holdQueue.answer.schema,
  Hook: routes.changeHook.answer.schema,
  Key: routes.listKeys.answer.schema.shape.keys.element,
  Link: routes.linkName.answer.schema,
  McpMessage: rpcMessage,
  Memory: routes.readMemory.answer.schema.shape.memory,
  Message: messages,
  MessagePart: messages.shape.parts.element,
  TextPart: textPart,
  ToolState: toolPart.shape.state,
  ModelSettings: modelSettings,
  Notice: routes.changeNotice.answer.schema,
  OpenaiModel: routes.openaiModel.answer.schema,
  OpenaiResponse: routes.openaiResponse.answer.schema,
  Preferences: preferences.shape.preferences,
  Problem: problem,
  ProblemNote: status.shape.error.unwrap(),
  Provider: provider,
  ProviderAccount: routes.connectProvider.body,
  ProviderName: provider.shape.provider,
  PushSubscription: routes.subscribePush.answer.schema,
  QueuedMessage: queue,
  Reply: routes.send.waits.schema,
  ReasoningEffort: modelSettings.shape.reasoning.unwrap(),
  Rollback: collections.rollbacks,
  Schedule: schedule,
  ScheduleTime: schedule.shape.when,
  Scope: routes.listKeys.answer.schema.shape.keys.element.shape.scopes.element,
  SendMode: queue.shape.mode,
  Sent: routes.sendNow.answer.schema,
  Snapshot: routes.openConversation.answer.schema,
  Snippet: messageHit.shape.snippet,
  Status: status,
  StoredProvider: provider.shape.stored.unwrap(),
  Trigger: messages.shape.trigger.unwrap(),
  Turn: collections.turns,
  TurnState: collections.turns.shape.state,
  TurnSummary: routes.inspectTurn.answer.schema.shape.turn,
  Usage: status.shape.usage,
  UsageLimit: usage.shape.tokens,
  VersionedPreferences: preferences,
  When: routes.changeSchedule.body.shape.when.unwrap(),
}

for (const [id, schema] of Object.entries(named)) schemaNames.add(schema, { id })
