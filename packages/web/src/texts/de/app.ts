import type { t } from "../en/app.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  newVersion: "Eine neue Version von Parlor ist bereit.",
  reload: "Neu laden",
  later: "Später",
}
