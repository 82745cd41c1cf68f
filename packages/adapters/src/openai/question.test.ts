import { askWith } from "@parlor/protocol/testing"
import { expect, it } from "vitest"
import { questionText } from "./question.ts"

it("[API-12] says what is asked, what it is about, and how to reply", () => {
  expect(questionText(askWith({ title: "Which drink?", options: ["Tea", "Coffee"] }))).toBe(
    "**Which drink?**\n\n1. Tea\n2. Coffee",
  )
  expect(questionText(askWith({ kind: "approval", title: "Pay?", detail: "5 to bo" }))).toBe(
    "**Pay?**\n\n5 to bo\n\nReply yes or no.",
  )
  expect(questionText(askWith({ kind: "form", title: "Who?" }))).toBe("**Who?**\n\nReply with JSON.")
})
