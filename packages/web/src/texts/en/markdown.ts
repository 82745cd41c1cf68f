import { texts } from "../texts.ts"

export const t = texts("markdown", {
  codeIn: "{language} code",
  copyCode: "Copy code",
  partlyPlain: "Part of this message is shown as plain text: it has more formatting than this page renders.",
  opens: "Opens {place}",
  opensInNewTab: ", opens in a new tab",
  picture: "picture",
  notShown: "{picture} (not shown)",
  done: "done",
  toDo: "to do",
})
