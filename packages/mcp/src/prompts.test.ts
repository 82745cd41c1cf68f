import { expect, it } from "vitest"
import { promptArguments } from "./prompts.ts"

const weather = {
  name: "weather",
  description: "",
  arguments: [
    { name: "city", description: "", required: true },
    { name: "state", description: "", required: false },
  ],
}

it("[TRG-6] arguments of a prompt are given by name, in order, and the last takes the rest", () => {
  expect(promptArguments(weather, "Paris")).toEqual({ city: "Paris" })
  expect(promptArguments(weather, "Springfield North Dakota")).toEqual({ city: "Springfield", state: "North Dakota" })
  expect(promptArguments(weather, 'state=Ohio "New Rome"')).toEqual({ city: "New Rome", state: "Ohio" })
  expect(promptArguments(weather, 'city="New Rome"')).toEqual({ city: "New Rome" })
  expect(promptArguments(weather, "a=b c=d")).toEqual({ city: "a=b", state: "c=d" })
  expect(promptArguments({ ...weather, arguments: [] }, "whatever")).toEqual({})
})

it("[TRG-6] a needed argument that is missing is named", () => {
  expect(() => promptArguments(weather, "  ")).toThrow('it needs the argument "city"')
})
