// Every address that the page reads, its own and those of answers.

// The page may be mounted under any path, so addresses are relative to it.
const base = new URL('.', document.baseURI)

/** Reads an address of an answer. An answer may lack it, or have an empty one: then there is none. */
export function addressIn(text: string | null | undefined, relativeTo?: string): URL | undefined {
  return text && URL.canParse(text, relativeTo) ? new URL(text, relativeTo) : undefined
}

/** The address of something of this server. */
export function addressOf(path: string): URL {
  return new URL(path.replace(/^\//, ''), base)
}

/** An address of this server under the name that the page has for it: no other is framed or loaded by the page. */
export function ownAddressOf({ pathname, search }: URL): string {
  return location.origin + pathname + search
}

/** What follows the host, in its own script; all of it where there is none. */
export function pathIn(url: string): string {
  const address = addressIn(url)
  return readable(address ? address.pathname + address.search : url)
}

/** An address in its own script, as `/مرحبا`. What is no text, or means something in an address, stays encoded. */
export function readable(address: string): string {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}
