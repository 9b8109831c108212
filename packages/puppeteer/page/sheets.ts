/**
 * Waits until the style sheets that apply to the window have loaded or failed, at most `most` milliseconds. Until then a visitor
 * sees nothing, and nothing has its computed style.
 */
export async function waitForSheets(most: number): Promise<void> {
  const pending = [...document.querySelectorAll<HTMLLinkElement>('link[rel~="stylesheet" i][href]')].filter(isPending)
  if (pending.length === 0) return
  await Promise.race([
    new Promise((resolve) => setTimeout(resolve, most)),
    Promise.all(pending.map((link) => new Promise((resolve) => onEnd(link, resolve)))),
  ])
}

/** A sheet that failed has no content either, but the page has an entry for its request. */
function isPending({ sheet, disabled, media, href, rel }: HTMLLinkElement): boolean {
  if (sheet || disabled || /\balternate\b/i.test(rel) || (media !== '' && !matchMedia(media).matches)) return false
  return performance.getEntriesByName(href).length === 0
}

function onEnd(link: HTMLLinkElement, done: (event: Event) => void): void {
  link.addEventListener('load', done, { once: true })
  link.addEventListener('error', done, { once: true })
}
