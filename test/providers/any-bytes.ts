/** Chat-completions streams as bytes: valid, cut, malformed and out of order. */
import fc from "fast-check"

/** Deeper than the call stack of whoever walks it carelessly. */
const abyss = `${"[".repeat(20_000)}${"]".repeat(20_000)}`
const abyssOfErrors = `${'{"error":'.repeat(20_000)}1${"}".repeat(20_000)}`

export const anyText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("Hello", " world", "…", "日本", "👩‍🚀", "\n", "a\tb") },
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom("<", "<fr", "om ", '<from agent="', 'critic">', "</from>", "</", "<from>") },
  { weight: 2, arbitrary: fc.constantFrom("", " ", "\ud83d", "\ude80", "x\ud83d", "\ude80y", "\u0000", "\ufeff") },
)

export const anyInput = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("{}", '{"city":"Oslo"}', '{"n":1}', "", " ") },
  {
    weight: 4,
    arbitrary: fc.constantFrom('{"ci', "nonsense", "[1,2]", "null", '"text"', "{}{}", '{"a":"\\ud83d\\u0000"}'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('{"__proto__":{"x":1}}', '{"a\\u0000":1}', '{"n":1e999}', "{'a':1}", "\u0000"),
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.constantFrom(`{"deep":${abyss}}`, `{"long":"${"x".repeat(20_000)}"}`) },
)

export const anyCallId = fc.constantFrom("a", "b", "call_1", "", "with space", "é", "x".repeat(90))
export const anyToolName = fc.constantFrom(
  "echo",
  "boom",
  "odd",
  "slow",
  "gone",
  "",
  "no such tool!",
  "7up",
  "y".repeat(300),
)

const toolDelta = fc.record(
  {
    index: fc.constantFrom<unknown>(0, 0, 1, 2, -1, "x", null),
    id: fc.oneof<fc.Arbitrary<unknown>[]>(anyCallId, fc.constantFrom(5, null)),
    function: fc.oneof<fc.Arbitrary<unknown>[]>(
      fc.record(
        {
          name: fc.oneof<fc.Arbitrary<unknown>[]>(anyToolName, fc.constant(null)),
          arguments: fc.oneof<fc.Arbitrary<unknown>[]>(anyInput, anyText, fc.jsonValue({ maxDepth: 2 })),
        },
        { requiredKeys: [] },
      ),
      fc.constant(null),
    ),
  },
  { requiredKeys: [] },
)

const anyDelta: fc.Arbitrary<unknown> = fc.oneof(
  anyText.map((content) => ({ content })),
  anyText.map((text) => ({ reasoning_content: text })),
  anyText.map((text) => ({ reasoning: text, content: text })),
  fc.array(toolDelta, { maxLength: 3 }).map((tool_calls) => ({ tool_calls })),
  anyText.map((text) => ({ content: [{ type: "text", text }, { type: "thinking", thinking: [{ text }] }, null] })),
  anyText.map((refusal) => ({ refusal })),
  fc.jsonValue({ maxDepth: 3 }),
)

const anyReason = fc.constantFrom<unknown>(
  null,
  null,
  null,
  "stop",
  "tool_calls",
  "length",
  "content_filter",
  "eos",
  42,
)

const anyUsage = fc.record(
  {
    prompt_tokens: fc.constantFrom<unknown>(0, 9, -1, 1.5, null, "9", 1e300),
    completion_tokens: fc.constantFrom<unknown>(0, 7, Number.MAX_SAFE_INTEGER),
    prompt_tokens_details: fc.constantFrom<unknown>(null, {}, { cached_tokens: 4 }, 5),
    completion_tokens_details: fc.constantFrom<unknown>(null, { reasoning_tokens: 2 }, { reasoning_tokens: [] }),
  },
  { requiredKeys: [] },
)

const anyPayload = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(anyDelta, anyReason)
      .map(([delta, reason]) => JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })),
  },
  { weight: 2, arbitrary: anyUsage.map((usage) => JSON.stringify({ choices: [], usage })) },
  { weight: 1, arbitrary: fc.constant("[DONE]") },
  {
    weight: 1,
    arbitrary: fc.constantFrom('{"error":{"message":"lost","code":503}}', '{"error":"no"}', '{"object":"error"}'),
  },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('{"choices":[', "nonsense", "{", '{"choices":[{"delta":{"content":"a"', "null", "[]"),
  },
)

const abysses = fc.constantFrom(
  abyss,
  abyssOfErrors,
  `{"error":${abyss}}`,
  `{"choices":[{"delta":{"content":${abyss}}}]}`,
  `{"choices":[{"delta":{"tool_calls":[{"function":{"name":"echo","arguments":${abyss}}}]}}]}`,
)

const anyLine = fc.oneof(
  {
    weight: 30,
    arbitrary: fc
      .tuple(anyPayload, fc.constantFrom("\n\n", "\n\n", "\n", "\r\n\r\n", ""))
      .map(([payload, end]) => `data: ${payload}${end}`),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(": keep-alive\n\n", "event: ping\nid: 7\n", "\n", "data:\n", "data: \r\n", "data"),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
)

const finish = (reason: string) => `data: {"choices":[{"delta":{},"finish_reason":"${reason}"}]}\n\n`
const anyEnd = fc.constantFrom(
  `${finish("stop")}data: [DONE]\n\n`,
  `${finish("tool_calls")}data: [DONE]\n\n`,
  finish("stop"),
  `${finish("stop")}${finish("length")}data: [DONE]\n\ndata: [DONE]\n\n${finish("stop")}`,
  "data: [DONE]\n\n",
  "",
)

/** A stream in the pieces the network hands over. */
export const anyBytes: fc.Arbitrary<readonly Buffer[]> = fc
  .record({
    lines: fc.array(anyLine, { maxLength: 10 }),
    abyss: fc.option(abysses, { freq: 60, nil: undefined }),
    end: anyEnd,
    noise: fc.option(fc.uint8Array({ maxLength: 8 }), { freq: 8, nil: undefined }),
    cutAt: fc.option(fc.nat(1_000), { freq: 4, nil: undefined }),
    pieces: fc.array(fc.nat(2_000), { maxLength: 6 }),
  })
  .map(({ lines, abyss: deep, end, noise, cutAt, pieces }) => {
    const text = Buffer.from(`${lines.join("")}${deep === undefined ? "" : `data: ${deep}\n\n`}${end}`)
    const noisy = noise === undefined ? text : Buffer.concat([text.subarray(0, 40), noise, text.subarray(40)])
    return inPieces(cutAt === undefined ? noisy : noisy.subarray(0, cutAt % (noisy.length + 1)), pieces)
  })

export function inPieces(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [...new Set(at.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...places].map((start, i) => bytes.subarray(start, places[i] ?? bytes.length))
}
