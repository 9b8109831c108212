import { signal } from '@preact/signals'

/** Where the page is: `#/jobs/ID/pages?status=404` is the parts `jobs`, `ID`, `pages` and a query. */
export interface Place {
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

export const place = signal<Place>(read())

/** Whether the view was changed, and its heading is not there yet: who cannot see the page hears where it is now. */
export const arrival = { isNew: false }

addEventListener('hashchange', () => {
  const before = place.value.parts[0]
  place.value = read()
  arrival.isNew = before !== place.value.parts[0]
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
