import { texts } from "../texts.ts"

export const t = texts("attachment", {
  attachFiles: "Attach files. {limits}",
  limits: "Images, PDFs, text and audio, up to {size} each (text {textSize}), at most {most} per message",
  dropToAttach: "Drop to attach",
  attachments: "Attachments",
  removeName: "Remove {name}",
  retryName: "Retry {name}",
  uploadingName: "Uploading {name}",
  uploadingSize: "Uploading, {size}",
  uploadingPercent: "Uploading {percent}%, {size}",
  uploadFailed: "Upload failed.",
  unsupportedType: "Unsupported file type. Use an image, a PDF, text or audio.",
  emptyFile: "The file is empty.",
  tooLarge: "Too large ({size}). The maximum is {most}.",
  tooMany: "At most {most} files per message.",
  showName: "Show {name}",
  hideName: "Hide {name}",
  downloadName: "Download {name}",
})
