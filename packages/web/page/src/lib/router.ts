import { signal } from '@preact/signals'

/** Where the page is: `#/jobs/ID/pages?status=404` is the parts `jobs`, `ID`, `pages` and a query. */
export interface Place {
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

export const place = signal<Place>(read())

addEventListener('hashchange', () => {
  const before = place.value.parts[0]
  place.value = read()
  // A person who cannot see the page hears where it is now.
  if (before !== place.value.parts[0]) queueMicrotask(() => document.querySelector<HTMLElement>('h1')?.focus())
})

function read(): Place {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const parts = path.split('/').filter(Boolean).map(decodeURIComponent)
  return { parts: parts.length > 0 ? parts : ['try'], query: new URLSearchParams(query) }
}

export function href(parts: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(query).toString()
  return `#/${parts.map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}`
}

export function go(parts: readonly string[], query: Readonly<Record<string, string>> = {}): void {
  location.hash = href(parts, query)
}
