import { describe, expect, it } from "vitest"
import { offersIn } from "./offers.ts"

const select = (id: string, options: unknown, category: string | null = id) => ({
  id,
  category,
  type: "select",
  currentValue: "a",
  options,
})

describe("[HST-12] the models and modes of a session", () => {
  it("are its options, grouped or not", () => {
    const grouped = [
      { group: "g", name: "G", options: [{ value: "a", name: "A" }] },
      { value: "b", name: "B", description: "Bee" },
    ]
    expect(
      offersIn({ configOptions: [select("m1", grouped, "model"), select("mode", [{ value: "a" }], null)] }),
    ).toEqual({
      model: {
        config: "m1",
        current: "a",
        choices: [
          { id: "a", name: "A", description: "" },
          { id: "b", name: "B", description: "Bee" },
        ],
      },
      mode: { config: "mode", current: "a", choices: [{ id: "a", name: "a", description: "" }] },
    })
  })

  it("may also be modes of the older kind", () => {
    const modes = {
      currentModeId: "ask",
      availableModes: [
        { id: "ask", name: "Ask" },
        { id: "code", name: "Code" },
      ],
    }
    expect(offersIn({ modes })).toEqual({
      mode: {
        config: undefined,
        current: "ask",
        choices: [
          { id: "ask", name: "Ask", description: "" },
          { id: "code", name: "Code", description: "" },
        ],
      },
    })
  })

  it("may also be models with a method of their own", () => {
    const availableModels = [
      { modelId: "auto", name: "Auto", description: "Decides" },
      { modelId: "pro" },
      { name: "no" },
    ]
    expect(offersIn({ models: { currentModelId: "auto", availableModels } })).toEqual({
      model: {
        config: undefined,
        current: "auto",
        choices: [
          { id: "auto", name: "Auto", description: "Decides" },
          { id: "pro", name: "pro", description: "" },
        ],
      },
    })
  })

  it("stay as they were if a response does not repeat them", () => {
    const before = offersIn({ configOptions: [select("model", [{ value: "a" }])] })
    for (const response of [undefined, null, {}, { configOptions: null }, { configOptions: [7, select("x", [])] }])
      expect(offersIn(response, before)).toEqual(before)
  })
})
