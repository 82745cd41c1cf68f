import type { t } from "../en/common.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  tryAgain: "Erneut versuchen",
  cancel: "Abbrechen",
  close: "Schließen",
  you: "Du",
  delete: "Löschen",
  undo: "Rückgängig",
  loading: "Wird geladen …",
  edit: "Bearbeiten",
  remove: "Entfernen",
  save: "Speichern",
}
