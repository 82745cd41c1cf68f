import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./App.tsx"
import "./app.css"
import { browserKeep } from "./features/keep/keep.ts"
import { preloadMarkdown } from "./features/markdown/LazyMarkdown.tsx"
import { takeToken } from "./features/token/intake.ts"

const root = document.getElementById("root")
if (root === null) throw new Error("index.html has no #root")

preloadMarkdown()
createRoot(root).render(
  <StrictMode>
    <App token={takeToken(window, browserKeep)} />
  </StrictMode>,
)
