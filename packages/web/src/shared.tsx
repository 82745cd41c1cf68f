/** The page of a share link. It never touches the token or the conversations that the page stored (SHR-12). */
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import "./app.css"
import { startLanguage, useActiveLanguage } from "./features/language/useLanguage.ts"
import { preloadMarkdown } from "./features/markdown/LazyMarkdown.tsx"
import { LinkPage } from "./features/share/LinkPage.tsx"
import { startTheme } from "./features/theme/useTheme.ts"
import { PaneBoundary } from "./ui/PaneBoundary.tsx"
import { Tooltips } from "./ui/Tooltip.tsx"

const root = document.getElementById("root")
if (root === null) throw new Error("shared.html has no #root")

startTheme()
preloadMarkdown()
startLanguage(() => createRoot(root).render(<Page />))

function Page() {
  return (
    <StrictMode key={useActiveLanguage()}>
      <PaneBoundary name="Parlor" subject={null}>
        <Tooltips>
          <LinkPage />
        </Tooltips>
      </PaneBoundary>
    </StrictMode>
  )
}
