/**
 * The scripts that draw diagrams, in a frame without an origin (MSG-18). To that frame they are of another site, so they
 * are sent to every site; they are the same on every server.
 */
const SCRIPTS = /^\/(?:diagram\.js|assets\/mermaid\.tiny-[\w-]{1,32}\.js)$/

export function isDiagramScript(path: string): boolean {
  return SCRIPTS.test(path)
}
