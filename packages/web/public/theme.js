// Before the first paint: a page that is to be dark never flashes white, and text has its size. `features/theme/theme.ts` does the rest.
try {
  const theme = localStorage.getItem("parlor.theme")
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme
  const text = localStorage.getItem("parlor.text")
  if (/^(?:small|large|larger)$/.test(text ?? "")) document.documentElement.dataset.text = text
} catch {
  // A browser that keeps nothing follows the system.
}
