import { type Json, defineTool as keepTyped, type Tool, type ToolContext } from "@parlor/core"
import { z } from "zod"
import { ConfigError } from "./config-error.ts"

/** A tool as its author writes it. Without `output` it may return any JSON. */
export type ToolOptions<Input extends z.ZodType, Output extends z.ZodType | undefined> = {
  /** 1 to 64 letters, digits, _ and -. */
  readonly name: string
  /** What it does, for the model. */
  readonly description: string
  /** The schema of an object. Without it, the tool takes no input. */
  readonly input?: Input
  /** The model sees only what this schema lets through. */
  readonly output?: Output
  /** Run again after a crash that left its outcome unknown. Default: false. */
  readonly repeatable?: boolean
  /** Whether the person must allow a call first; a function decides by the input. */
  readonly approval?: "always" | "never" | ((input: z.output<Input>) => boolean)
  /** How long one call may take. */
  readonly timeoutMs?: number
  /** A longer result is cut; the model can read the rest. */
  readonly maxOutputBytes?: number
  /** Gets the checked input; what it throws, the model sees. */
  run(input: z.output<Input>, context: ToolContext): Returned<Output> | Promise<Returned<Output>>
}

type Returned<Output> = Output extends z.ZodType ? z.input<Output> : Json | undefined

const NAME = /^[a-zA-Z_][\w-]{0,63}$/
const nothing = z.object({})

export function defineTool<Input extends z.ZodType = typeof nothing, Output extends z.ZodType | undefined = undefined>(
  options: ToolOptions<Input, Output>,
): Tool {
  const { name, description, run, output, repeatable = false, approval, timeoutMs, maxOutputBytes } = options
  if (typeof name !== "string" || !NAME.test(name))
    throw new ConfigError(`Tool "${name}": a name is 1 to 64 letters, digits, _ and -, and begins with a letter or _.`)
  if (typeof description !== "string" || description.trim() === "")
    throw new ConfigError(`Tool "${name}": description: say what the tool does. The model reads it.`)
  if (typeof run !== "function") throw new ConfigError(`Tool "${name}": run must be a function.`)
  const input = (options.input ?? nothing) as Input
  checkInput(name, input)
  for (const [field, value] of Object.entries({ timeoutMs, maxOutputBytes }))
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0))
      throw new ConfigError(`Tool "${name}": ${field} must be a positive integer.`)
  return keepTyped<Input>({
    name,
    description,
    input,
    repeatable,
    ...(approval === undefined ? {} : { approval }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxOutputBytes === undefined ? {} : { maxOutputBytes }),
    run: async (given, context) => checkedOutput(output, await run(given, context)),
  })
}

function checkedOutput(output: z.ZodType | undefined, value: unknown): Json {
  return (output === undefined ? (value ?? null) : output.parse(value)) as Json
}

/** Providers accept objects only, and some schemas cannot be converted for them. */
function checkInput(name: string, input: z.ZodType): void {
  if (typeof input?.safeParse !== "function")
    throw new ConfigError(`Tool "${name}": input must be a zod schema, such as z.object({ … }).`)
  if (typeOf(name, input) !== "object")
    throw new ConfigError(`Tool "${name}": input must be an object: wrap it in z.object({ … }).`)
}

function typeOf(name: string, input: z.ZodType): unknown {
  try {
    return z.toJSONSchema(input, { io: "input" }).type
  } catch (error) {
    throw new ConfigError(`Tool "${name}": input: ${error instanceof Error ? error.message : String(error)}.`)
  }
}
