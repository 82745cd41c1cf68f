/** Where a menu or a box beside something goes: into the dialog in front, behind which nothing can be reached. */
export function topLayer(): HTMLElement | null {
  if (typeof document === "undefined") return null
  return [...document.querySelectorAll<HTMLElement>("dialog:modal")].at(-1) ?? null
}
