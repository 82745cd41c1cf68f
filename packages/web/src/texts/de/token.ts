import type { t } from "../en/token.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  switchAccount: "Konto wechseln?",
  anotherAccount:
    "Dieser Link enthält das Token eines anderen Kontos. Wenn du wechselst, meldet sich dieser Browser von deinem Konto ab und zeigt die Chats des anderen.",
  onlyIf: "Wechsle nur, wenn du diesen Link selbst geöffnet hast und weißt, woher er kommt.",
  whoeverMadeIt:
    "{warning} Wer den Link erstellt hat, kann lesen, was du in dem Konto schreibst. Um zurückzuwechseln, brauchst du deine eigene Adresse mit ihrem Token.",
  unsent:
    "Du hast nicht gesendeten Text in {conversations}. Er bleibt für dein Konto in diesem Browser und wird nicht gesendet.",
  doSwitch: "Konto wechseln",
  andMore: "{names} und {count} weiteren",
}
