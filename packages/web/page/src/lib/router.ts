import { signal } from '@preact/signals'

/** Where the page is: `#/jobs/ID/pages?status=404` is the parts `jobs`, `ID`, `pages` and a query. */
export interface Place {
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

export const place = signal<Place>(read())

/** Whether something else is shown, and its heading is not there yet: who cannot see the page hears where it is now. */
export const arrival = { isNew: false }

addEventListener('hashchange', () => {
  const before = subjectOf(place.value)
  place.value = read()
  arrival.isNew = before !== subjectOf(place.value)
})

// What is only another way to look at the same thing is left out: a filter, the tab of a job, the page that is open in it,
// the check of a monitor.
const subjects: Readonly<Record<string, (place: Place) => readonly unknown[]>> = {
  try: ({ query }) => [query.toString()],
  jobs: ({ parts }) => parts.slice(1, 3),
  changes: ({ query }) => [query.toString()],
  activity: () => [],
  monitors: ({ parts }) => parts.slice(1, 2),
}

/** What the view is about. Its state ends when this changes. */
export function subjectOf(place: Place): string {
  const [view = ''] = place.parts
  return JSON.stringify([view, subjects[view]?.(place) ?? place.parts.slice(1)])
}

function read(): Place {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const parts = path.split('/').filter(Boolean).map(decode)
  return { parts: parts.length > 0 ? parts : ['try'], query: new URLSearchParams(query) }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function href(parts: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(query).toString()
  return `#/${parts.map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}`
}

export function go(parts: readonly string[], query: Readonly<Record<string, string>> = {}): void {
  location.hash = href(parts, query)
}

/** Writes into the address what the view has come to be about, so that it can be shared. The view stays as it is. */
export function note(parts: readonly string[], query: Readonly<Record<string, string>> = {}): void {
  history.replaceState(null, '', href(parts, query))
}

/** Writes a filter or an order into the address, and shows it: no step of its own for the way back. */
export function refine(parts: readonly string[], query: Readonly<Record<string, string>> = {}): void {
  note(parts, query)
  place.value = read()
}
