import type { t } from "../en/attachment.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  attachFiles: "Dateien anhängen. {limits}",
  limits: "Bilder, PDFs, Text und Audio, je bis zu {size} (Text {textSize}), höchstens {most} pro Nachricht",
  dropToAttach: "Zum Anhängen hier ablegen",
  attachments: "Anhänge",
  removeName: "{name} entfernen",
  retryName: "{name} erneut hochladen",
  uploadingName: "{name} wird hochgeladen",
  uploadingSize: "Wird hochgeladen, {size}",
  uploadingPercent: "Wird hochgeladen, {percent} %, {size}",
  uploadFailed: "Hochladen fehlgeschlagen.",
  unsupportedType: "Dateityp nicht unterstützt. Verwende ein Bild, ein PDF, Text oder Audio.",
  emptyFile: "Die Datei ist leer.",
  tooLarge: "Zu groß ({size}). Höchstens {most} sind erlaubt.",
  tooMany: "Höchstens {most} Dateien pro Nachricht.",
  showName: "{name} anzeigen",
  hideName: "{name} ausblenden",
  downloadName: "{name} herunterladen",
}
