import { signal } from '@preact/signals'

/** The location of the page: `#/jobs/ID/pages?status=404` has the parts `jobs`, `ID` and `pages`, and a query. */
export interface Place {
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

export const place = signal<Place>(read())

/** `isNew` is true after navigation until the new heading has taken the focus, which announces the view to screen readers. */
export const arrival = { isNew: false }

addEventListener('hashchange', () => {
  const before = subjectOf(place.value)
  place.value = read()
  arrival.isNew = before !== subjectOf(place.value)
})

// Hash parts that identify the subject of each view. Filters, tabs, the open page of a job and the check of a monitor only
// change how the same subject is shown.
const subjects: Readonly<Record<string, (place: Place) => readonly unknown[]>> = {
  try: ({ query }) => [query.toString()],
  jobs: ({ parts }) => parts.slice(1, 3),
  changes: ({ query }) => [query.toString()],
  activity: () => [],
  monitors: ({ parts }) => parts.slice(1, 2),
}

/** Returns a string that identifies the subject of a view. The state of the view is reset when this changes. */
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

/** Returns the link to a view of the page. */
export function href(parts: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(query).toString()
  return `#/${parts.map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}`
}

/** Opens a view of the page, with a new history entry. */
export function go(parts: readonly string[], query: Readonly<Record<string, string>> = {}): void {
  location.hash = href(parts, query)
}

/** Writes the current subject into the URL, so that it can be shared. The view does not change. */
export function note(parts: readonly string[], query: Readonly<Record<string, string>> = {}): void {
  history.replaceState(null, '', href(parts, query))
}

/** Writes a filter or sort order into the URL and applies it, without a new history entry. */
export function refine(parts: readonly string[], query: Readonly<Record<string, string>> = {}): void {
  note(parts, query)
  place.value = read()
}
