// Code that runs in pages.

/** Returns the URL, the visible text and the readable cookies of the page as JSON, at most `maxText` and 20,000 characters. */
export function readShown(maxText: number): string {
  const text = document.body?.innerText.slice(0, maxText) ?? ''
  return JSON.stringify({ url: location.href, text, cookies: document.cookie.slice(0, 20_000) })
}
