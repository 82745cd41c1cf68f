import { Parlor } from "@parlor/client"
import { ParlorProvider } from "@parlor/react"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { Chat } from "./Chat.tsx"

const parlor = new Parlor({ baseUrl: "", token: "added-by-the-proxy" })

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <ParlorProvider client={parlor} live={{ storage: localStorage }}>
      <Chat agent="host" />
    </ParlorProvider>
  </StrictMode>,
)
