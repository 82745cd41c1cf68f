/** The container for menus and popovers: the open dialog, because everything behind it is inert. */
export function topLayer(): HTMLElement | null {
  if (typeof document === "undefined") return null
  return [...document.querySelectorAll<HTMLElement>("dialog:modal")].at(-1) ?? null
}
