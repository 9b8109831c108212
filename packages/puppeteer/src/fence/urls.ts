const allowed = new Set(['http:', 'https:', 'blob:'])

/**
 * Returns whether a tab may open a URL: `http:`, `https:`, `blob:`, `data:`, `about:blank` or `about:srcdoc`. The last three
 * can do nothing that any page cannot. False for an invalid URL.
 */
export function mayOpen(address: string): boolean {
  const url = URL.parse(address)
  if (!url) return false
  return allowed.has(url.protocol) || url.protocol === 'data:' || /^about:(?:blank|srcdoc)/.test(url.href)
}

/**
 * Returns whether a tab may stay at its current URL: whether `mayOpen` allows it, it is empty, or it is the browser's own
 * error page.
 */
export function mayShow(address: string): boolean {
  return address === '' || address.startsWith('chrome-error://') || mayOpen(address)
}
