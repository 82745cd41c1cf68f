import { texts } from "../texts.ts"

export const t = texts("attachments", {
  attachments: "Attachments",
  storage: "Attachment storage",
  storageUsed: "Storage used",
  usedOf: "{used} of {most} used",
  everyFile:
    "Every file you attached to a message, in all conversations. Delete files you no longer need to free up space.",
  loadMore: "Load more",
  deleteName: "Delete {name}",
  deleteNameAsk: "Delete {name}?",
  deleteMeans: "Messages still show its name, but neither you nor an agent can open it anymore. This can't be undone.",
  none: "No attachments yet",
  howToAttach:
    "In a conversation, click the paperclip in the message box, drop files onto the page, or paste an image. {limits}.",
  storedUntil:
    "Attachments are stored until you delete them, up to {most} in total. A file you attach more than once is counted only once.",
  image: "{format} image",
  audio: "{format} audio",
  text: "Text",
  textOf: "Text ({type})",
})
