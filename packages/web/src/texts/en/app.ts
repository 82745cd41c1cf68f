import { texts } from "../texts.ts"

export const t = texts("app", {
  newVersion: "A new version of Parlor is ready.",
  reload: "Reload",
  later: "Later",
})
