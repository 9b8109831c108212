const allowed = new Set(['http:', 'https:', 'blob:'])

/** Whether a tab of a session may go to an address. `data:` and `about:blank` can do no harm that a page cannot. */
export function mayOpen(address: string): boolean {
  const url = URL.parse(address)
  if (!url) return false
  return allowed.has(url.protocol) || url.protocol === 'data:' || /^about:(?:blank|srcdoc)/.test(url.href)
}

/** Whether a tab may stay where it is found: the browser's own page about a failure is fine. */
export function mayShow(address: string): boolean {
  return address === '' || address.startsWith('chrome-error://') || mayOpen(address)
}
