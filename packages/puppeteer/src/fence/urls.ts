const allowed = new Set(['http:', 'https:', 'blob:'])

/**
 * Returns whether a tab may open a URL. False for an invalid one. `data:` and `about:blank` can do nothing that any page
 * cannot.
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
