/** A response of the Responses API, found by its id. */
import { parseResponseId, type ResponsePlace, ResponseStream } from "@parlor/adapters"
import { type Address, type MessageId, Refusal, type StreamId } from "@parlor/protocol"
import type { Services } from "../services.ts"
import { readAnswer } from "../turns/follow-turns.ts"

export type FoundResponse = {
  readonly place: ResponsePlace
  readonly address: Address
  readonly stream: StreamId
  /** As it is now. */
  readonly now: ResponseStream
  /** The running turn, if there is one. */
  readonly turn: string | undefined
}

export async function findResponse(services: Services, person: string, id: string): Promise<FoundResponse> {
  const { runtime } = services
  const place = placeOfId(id)
  const { agent, branch } = place
  const address = { agent, branch, person }
  const { id: stream } = await runtime.conversation(address).catch((error: unknown) => {
    throw error instanceof Refusal && error.code === "agent.unknown" ? unknownResponse() : error
  })
  const found = { place, address, stream }
  const first = await readResponse(services, found)
  if (first.hasStarted || (await isQueued(services, address, place.message))) return { ...found, ...first }
  // It left the queue while it was read: then the log says how.
  const second = await readResponse(services, found)
  if (!second.hasStarted) throw unknownResponse()
  return { ...found, ...second }
}

async function readResponse(
  { runtime }: Services,
  { place, stream }: Pick<FoundResponse, "place" | "stream">,
): Promise<Pick<FoundResponse, "now" | "turn"> & { readonly hasStarted: boolean }> {
  const now = new ResponseStream(place)
  now.begin()
  let turn: string | undefined
  const of = { runtime, stream, after: place.after, message: place.message as MessageId }
  const { isRemoved } = await readAnswer(of, (event) => {
    if (event.type === "turn-started") turn = event.turn
    if (event.type === "turn-ended") turn = undefined
    now.read(event)
  })
  if (isRemoved) now.cancel()
  return { now, turn, hasStarted: turn !== undefined || now.ended }
}

export function placeOfId(id: string, pointer?: string): ResponsePlace {
  const place = parseResponseId(id)
  if (place === undefined) throw unknownResponse(pointer)
  return place
}

async function isQueued({ runtime }: Services, address: Address, message: string): Promise<boolean> {
  const { queue } = await runtime.snapshot(address, { messages: 1 })
  return queue.some(({ id }) => id === message)
}

function unknownResponse(pointer?: string): Refusal {
  return new Refusal("message.unknown", "There is no such response.", pointer)
}
