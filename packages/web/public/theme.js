// Before the first paint: a page that is to be dark never flashes white. `features/theme/theme.ts` does the rest.
try {
  const theme = localStorage.getItem("parlor.theme")
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme
} catch {
  // A browser that keeps nothing follows the system.
}
