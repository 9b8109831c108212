// Parses and creates all URLs of the page.

// The page may be mounted under any path, so URLs are relative to it.
const base = new URL('.', document.baseURI)

/** Parses a URL in a response. Returns `undefined` if it is absent, empty or invalid. */
export function addressIn(text: string | null | undefined, relativeTo?: string): URL | undefined {
  return text && URL.canParse(text, relativeTo) ? new URL(text, relativeTo) : undefined
}

/** Returns the URL of a path of this server. */
export function addressOf(path: string): URL {
  return new URL(path.replace(/^\//, ''), base)
}

/** Returns a URL of this server on the page's own origin, since the page frames and loads no other origin. */
export function ownAddressOf({ pathname, search }: URL): string {
  return location.origin + pathname + search
}

/** Returns the path and query of a URL in readable form, or the whole string if it is not a URL. */
export function pathIn(url: string): string {
  const address = addressIn(url)
  return readable(address ? address.pathname + address.search : url)
}

/** Decodes a URL for display, such as `/مرحبا`. Reserved characters and invalid sequences remain encoded. */
export function readable(address: string): string {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}
