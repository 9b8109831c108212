/** Number of requests of which a browser stores an entry, unless the page changes it. */
const maxEntries = 250

/**
 * Waits until the style sheets that apply to the window have loaded or failed, at most `most` milliseconds. Until then a visitor
 * sees nothing, and nothing has its computed style.
 */
export async function waitForSheets(most: number): Promise<void> {
  // Then a refused sheet looks like one that is loading.
  if (performance.getEntriesByType('resource').length >= maxEntries) return
  const pending = [...document.querySelectorAll<HTMLLinkElement>('link[rel~="stylesheet" i][href]')].filter(isPending)
  if (pending.length === 0) return
  await Promise.race([
    new Promise((resolve) => setTimeout(resolve, most)),
    Promise.all(pending.map((link) => new Promise((resolve) => onEnd(link, resolve)))),
  ])
}

/** A sheet that was refused has no content either, but the page has an entry for its request. */
function isPending({ sheet, disabled, media, href, rel, type }: HTMLLinkElement): boolean {
  if (type !== '' && !/^\s*text\/css\b/i.test(type)) return false
  if (sheet || disabled || /\balternate\b/i.test(rel) || (media !== '' && !matchMedia(media).matches)) return false
  return performance.getEntriesByName(href).length === 0
}

function onEnd(link: HTMLLinkElement, done: (event: Event) => void): void {
  link.addEventListener('load', done, { once: true })
  link.addEventListener('error', done, { once: true })
}
